/**
 * Random lives of the engine against an oracle: each has two phones with up to three tabs each,
 * three people, an admin, and a network that does whatever a network does. `npm run soak` goes on
 * with other seeds for as long as one likes.
 *
 * The oracle (run.ts, accounts.ts): the server did each intent once, or refused it and the person
 * was told; in the order of intent per package, and nothing without what it leaned on; an edit wrote
 * over nothing that its person had not seen, and conflicted with nobody but others; a repeat was the
 * same request; nothing was lost; at rest every phone has exactly what the server shows its user; no
 * fault, no lock and no timer is left.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rounds } from '#tests/size.ts';
import { live } from './live.ts';
import { plan } from './plan.ts';
import { runPlan } from './run.ts';

describe('whatever happens', () => {
  it('each intent has one effect or is shown as refused, in order, and every view is the truth', async () => {
    await live(20_261_121, rounds(1_000, 10_000));
  }, 600_000);

  it.each([
    [367_086_734, '0', 'an edit conflicted with its own person: written-over.test.ts'],
    [16_100, '0', 'an accept of what was theirs already counted as agreed to unseen'],
    [409_267_070, '6', 'an edit conflicted with its own person: own-edits.test.ts'],
  ])(
    'seed %i, path %s shows no fault any more: %s',
    async (seed, path) => {
      const [one] = fc.sample(plan(400), { seed, path, numRuns: 1 });
      if (!one) throw new Error('No plan.');
      expect((await runPlan(one)).violations).toEqual([]);
    },
    60_000,
  );

  it('a seed is the same life each time, event by event', async () => {
    const [one] = fc.sample(plan(400), { seed: 5, numRuns: 1 });
    if (!one) throw new Error('No plan.');
    const [first, second] = [await runPlan(one), await runPlan(one)];
    expect(first.lines.length).toBeGreaterThan(100);
    expect(second.lines).toEqual(first.lines);
    expect(second.digest).toBe(first.digest);
  }, 60_000);
});
