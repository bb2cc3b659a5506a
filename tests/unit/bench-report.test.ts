/** Verdicts of the bench, which decide its exit code. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isMissed, isWanting } from '#bench/report.mjs';
import { pageWith } from '#bench/results.mjs';

const figure = { what: 'accept', unit: 'calls/s', kaya: 600 };

describe('a bar', () => {
  test.each([
    [{}, false],
    [{ most: 600 }, false],
    [{ most: 599 }, true],
    [{ least: 601 }, true],
    [{ peer: 800, leastRatio: 0.7 }, false],
    [{ peer: 1200, leastRatio: 0.7 }, true],
    [{ peer: 500, mostRatio: 1.15 }, true],
    // The median of the rounds counts, not the ratio of the medians.
    [{ peer: 800, ratio: 0.69, leastRatio: 0.7 }, true],
    // An unmeasured figure fails.
    [{ kaya: Number.NaN, most: 600 }, true],
    [{ leastRatio: 0.7 }, true],
    [{ least: 1, most: 10 }, true],
  ])('%j is missed: %s', (more, isTooFar) => {
    expect(isMissed({ ...figure, ...more })).toBe(isTooFar);
  });
});

test('a part fails if it errors or misses a bar', () => {
  const good = { ...figure, most: 600 };
  const missed = { ...figure, most: 599 };
  expect(isWanting({ failure: null, figures: [] })).toBe(false);
  expect(isWanting({ failure: null, figures: [good] })).toBe(false);
  expect(isWanting({ failure: null, figures: [good, missed] })).toBe(true);
  expect(isWanting({ failure: '`page` ended with 1', figures: [good] })).toBe(true);
});

test('the documented figures are the latest results, and the rest of the page stays', () => {
  const page = 'docs/performance.md';
  const text = readFileSync(page, 'utf8');
  const { parts } = JSON.parse(readFileSync('bench/results/latest.json', 'utf8'));
  expect(pageWith(text, parts)).toBe(text);
  expect(() => pageWith('# Performance', parts)).toThrow(`${page} has no`);
});
