/**
 * Many lives of the model from one seed, by fast-check. A faulty life ends the run with the seed
 * and path to replay it; shrinking takes minutes, and is `fc.assert` without `endOnFailure`.
 */
import fc from 'fast-check';
import { expect } from 'vitest';
import { plan } from './plan.ts';
import { runPlan } from './run.ts';

const batchRuns = 10;

/** Runs lives until this many operations were enqueued. Rejects with the first faulty life. */
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
