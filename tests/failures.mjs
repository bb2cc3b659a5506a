// @ts-check
// What failed, from the runners' own reports; named once more at the end, where a long log is read.

/** @typedef {{ name: string, why: string }} Failure */

const LINES = 25;

/** @param {string} text */
const shortened = (text) =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal
    .replace(/\u001b\[[0-9;]*m/g, '')
    .split('\n')
    .slice(0, LINES)
    .join('\n');

/** @param {any} report of Vitest's `json` reporter, or null @returns {Failure[]} */
export function vitestFailures(report) {
  /** @type {Failure[]} */
  const failures = [];
  for (const file of report?.testResults ?? []) {
    const failed = file.assertionResults.filter((/** @type {any} */ t) => t.status === 'failed');
    for (const test of failed) {
      failures.push({
        name: `${file.name} › ${test.fullName}`,
        why: shortened(test.failureMessages.join('\n')),
      });
    }
    if (file.status === 'failed' && failed.length === 0) {
      failures.push({ name: file.name, why: shortened(file.message) });
    }
  }
  return failures;
}

/** @param {any} report of Playwright's `json` reporter, or null @returns {Failure[]} */
export function playwrightFailures(report) {
  const failures = (report?.errors ?? []).map((/** @type {any} */ error) => ({
    name: 'outside the tests',
    why: shortened(error.message ?? ''),
  }));
  /** @param {any} suite @param {string[]} above */
  const visit = (suite, above) => {
    const here = [...above, suite.title];
    for (const spec of suite.specs ?? []) {
      for (const result of spec.tests.flatMap((/** @type {any} */ t) => t.results)) {
        if (result.status === 'passed' || result.status === 'skipped') continue;
        const messages = result.errors.map((/** @type {any} */ error) => error.message ?? '');
        failures.push({
          name: `${[...here, spec.title].join(' › ')} (${result.status})`,
          why: shortened(messages.join('\n')),
        });
      }
    }
    for (const inner of suite.suites ?? []) visit(inner, here);
  };
  for (const suite of report?.suites ?? []) visit(suite, []);
  return failures;
}
