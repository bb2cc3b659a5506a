/**
 * Random lives of the engine against an oracle: each run has two phones with up to three tabs each,
 * three people, an admin, and a network that does whatever a network does. `npm run soak` goes on
 * with other seeds for as long as one likes.
 *
 * The oracle (run.ts, accounts.ts): the server did each intent once, or refused it and the person
 * was told; in the order of intent per package; an edit wrote over nothing that its person had not
 * seen; nothing was lost; at rest every phone has exactly what the server shows its user; no fault,
 * no lock and no timer is left.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plan } from './plan.ts';
import { type Outcome, runPlan } from './run.ts';

const timeoutMs = 300_000;

/** So many runs of this seed; answers how many operations were meant in them. */
async function live(seed: number, numRuns: number): Promise<number> {
  let operations = 0;
  await fc.assert(
    fc.asyncProperty(plan(400), async (one) => {
      const outcome: Outcome = await runPlan(one);
      operations += outcome.operations;
      expect(outcome.violations).toEqual([]);
    }),
    { seed, numRuns, interruptAfterTimeLimit: timeoutMs, markInterruptAsFailure: true },
  );
  return operations;
}

describe('whatever happens', () => {
  it(
    'each intent has one effect or is shown as refused, in order, and every view is the truth',
    async () => {
      expect(await live(20_261_121, 80)).toBeGreaterThan(5_000);
    },
    timeoutMs,
  );

  it('a seed is the same run each time, event by event', async () => {
    const [one] = fc.sample(plan(400), { seed: 5, numRuns: 1 });
    if (!one) throw new Error('No plan.');
    const [first, second] = [await runPlan(one), await runPlan(one)];
    expect(first.lines.length).toBeGreaterThan(100);
    expect(second.lines).toEqual(first.lines);
    expect(second.digest).toBe(first.digest);
  });
});
