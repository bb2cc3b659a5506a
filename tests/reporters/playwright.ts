/** Streams Playwright's results to tests/lanes.mjs. */
import type { Reporter, TestCase, TestError, TestResult } from '@playwright/test/reporter';
import { send } from './result.ts';

const reasonOf = (errors: readonly TestError[]): string =>
  errors.map(({ stack, message, value }) => stack ?? message ?? value ?? '').join('\n');

export default class PlaywrightReporter implements Reporter {
  onTestEnd(test: TestCase, { status, errors, duration }: TestResult): void {
    const [, , file, ...titles] = test.titlePath();
    const name = `${file} › ${titles.join(' › ')}`;
    if (status === 'skipped') send({ name, skipped: 1 });
    else if (status === test.expectedStatus) send({ name, passed: 1, ms: duration });
    else send({ name: `${name} (${status})`, failed: 1, reason: reasonOf(errors) });
  }

  onError(error: TestError): void {
    send({ name: 'outside the tests', failed: 1, reason: reasonOf([error]) });
  }

  printsToStdio(): boolean {
    return true;
  }
}
