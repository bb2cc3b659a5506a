/**
 * Many lives of the model from one seed, by fast-check. A life that shows a fault ends it, with the
 * seed and path to live it again; making it shorter takes minutes, and is `fc.assert` without
 * `endOnFailure`.
 */
import fc from 'fast-check';
import { expect } from 'vitest';
import { plan } from './plan.ts';
import { runPlan } from './run.ts';

const batchRuns = 10;

/** Lives until so many operations were meant. Rejects with the shortest life that shows a fault. */
export async function live(seed: number, operations: number): Promise<void> {
  let meant = 0;
  for (let batch = 0; meant < operations; batch += 1) {
    const property = fc.asyncProperty(plan(400), async (one) => {
      const outcome = await runPlan(one);
      meant += outcome.operations;
      expect(outcome.violations).toEqual([]);
    });
    await fc.assert(property, { seed: seed + batch, numRuns: batchRuns, endOnFailure: true });
  }
}
