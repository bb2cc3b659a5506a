/** Streams Vitest's results to tests/lanes.mjs: each failure and each finished file. */
import type { TestCase, TestModule, TestRunEndReason } from 'vitest/node';
import { type Result, send } from './result.ts';

interface TestError {
  message: string;
  stack?: string;
  diff?: string;
}

const reasonOf = (errors: readonly TestError[]): string =>
  errors.map(({ message, stack, diff }) => [stack ?? message, diff ?? ''].join('\n')).join('\n');

const nameOf = (module: TestModule): string => `${module.project.name} ${module.relativeModuleId}`;

export default class VitestReporter {
  onTestCaseResult(test: TestCase): void {
    const result = test.result();
    if (result.state !== 'failed') return;
    const name = `${nameOf(test.module)} › ${test.fullName}`;
    send({ name, failed: 1, reason: reasonOf(result.errors) });
  }

  onTestModuleEnd(module: TestModule): void {
    const states = [...module.children.allTests()].map((test) => test.result().state);
    const count = (state: string) => states.filter((one) => one === state).length;
    const result: Result = {
      name: nameOf(module),
      passed: count('passed'),
      skipped: count('skipped'),
      ms: module.diagnostic().duration,
    };
    const errors = module.errors();
    send(errors.length === 0 ? result : { ...result, failed: 1, reason: reasonOf(errors) });
  }

  onTestRunEnd(_: unknown, errors: readonly TestError[], reason: TestRunEndReason): void {
    if (errors.length > 0) send({ name: reason, failed: 1, reason: reasonOf(errors) });
  }
}
