/**
 * Random lives of the engine against an oracle: two phones with up to three tabs each, three users,
 * an admin, and an arbitrarily faulty network. `npm run soak` continues with other seeds.
 *
 * The oracle (run.ts, accounts.ts): the server applied each intent once, or refused it and the user
 * was shown; in order per package, and never without what it depends on; an edit overwrote nothing
 * its user had not seen and conflicted only with others; a repeat was the identical request;
 * nothing was lost; at rest every phone shows exactly what the server shows its user; no fault,
 * lock or timer is left.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type OperationName, operationNames } from '#domain/operation-names.ts';
import { rounds } from '#tests/size.ts';
import { plan } from './plan.ts';
import { runPlan } from './run.ts';

/**
 * The names of the operations that were applied. Ends with the first faulty life, its seed and
 * path; shrinking takes minutes: `endOnFailure`.
 */
async function live(
  seed: number,
  operations: number,
  hasStream: boolean,
): Promise<Set<OperationName>> {
  let meant = 0;
  const applied = new Set<OperationName>();
  for (let batch = 0; meant < operations; batch += 1) {
    const property = fc.asyncProperty(plan(400, hasStream), async (one) => {
      const outcome = await runPlan(one);
      meant += outcome.operations;
      for (const name of outcome.applied) applied.add(name);
      expect(outcome.violations).toEqual([]);
    });
    await fc.assert(property, { seed: seed + batch, numRuns: 10, endOnFailure: true });
  }
  return applied;
}

describe('a random life', () => {
  const reached = new Set<OperationName>();

  it.each([
    ['without a stream', false],
    ['with a stream of rows', true],
  ])(
    'applies each intent once or shows it as refused, in order, and every view matches the server, %s',
    async (_, hasStream) => {
      for (const name of await live(20_261_122, rounds(300, 10_000), hasStream)) reached.add(name);
    },
    600_000,
  );

  it('reaches every operation', async () => {
    const wanted = new Set(operationNames.filter((name) => name !== 'uploadProof'));
    // Which of the rare ones 300 operations reach is luck, and another with each new name.
    for (let more = 1; more <= 10 && reached.size < wanted.size; more += 1) {
      for (const name of await live(20_261_122 + 1_000 * more, 100, true)) reached.add(name);
    }
    expect(reached).toEqual(wanted);
  }, 600_000);

  it.each([
    [367_086_734, '0', false, 'an edit conflicted with its own person'],
    [16_100, '0', false, 'an accept of what was theirs already counted as agreed to unseen'],
    [409_267_070, '6', false, 'an edit conflicted with its own person'],
    [7_000_030, '0', true, 'a refusal brought an offer outside the area, which stayed'],
  ])(
    'seed %i, path %s, stream %s no longer fails: %s',
    async (seed, path, hasStream) => {
      const [one] = fc.sample(plan(400, hasStream), { seed, path, numRuns: 1 });
      if (!one) throw new Error('No plan.');
      expect((await runPlan(one)).violations).toEqual([]);
    },
    60_000,
  );

  it.each([false, true])('is the same for the same seed, event by event', async (hasStream) => {
    const [one] = fc.sample(plan(150, hasStream), { seed: 5, numRuns: 1 });
    if (!one) throw new Error('No plan.');
    const [first, second] = [await runPlan(one), await runPlan(one)];
    expect(first.lines.length).toBeGreaterThan(100);
    expect(second.lines).toEqual(first.lines);
    expect(second.digest).toBe(first.digest);
  }, 60_000);
});
