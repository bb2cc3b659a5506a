/** A short run of scripts/soak; the long one is `npm run soak:browser`. */

import { soak } from '#scripts/soak/browser/run.ts';
import { expect, test } from '#tests/e2e/kaya.ts';

test('four tabs on a bad network end up equal @long', async ({ backstage, network, browser }) => {
  test.setTimeout(240_000);
  const lines: string[] = [];
  const say = (line: string) => lines.push(line);
  const needs = { browser, backstage, network, seed: 20_261_121, forMs: 20_000, say };
  const { operations, complaints } = await soak(needs);
  test.info().annotations.push({ type: 'soak', description: lines.join(' ') });
  expect(complaints).toEqual([]);
  expect(operations).toBeGreaterThan(5);
});
