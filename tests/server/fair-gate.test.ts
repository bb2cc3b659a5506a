/** Who is let through to push services first, and what nobody can keep from the others. */
import { setImmediate as settled } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createFairGate, type GateLimits } from '#server/modules/notifications/fair-gate.ts';

/** A gate, and calls that are through once the test says so. */
function stand(limits: GateLimits) {
  const gate = createFairGate(limits);
  const inside = new Map<string, (error?: Error) => void>();
  const entered: string[] = [];
  const come = (userId: string, isDoubtful = false) => {
    const call = gate(
      { userId, isDoubtful },
      () =>
        new Promise<void>((resolve, reject) => {
          entered.push(userId);
          inside.set(userId, (error) => (error ? reject(error) : resolve()));
        }),
    );
    call.catch(() => undefined);
    return call;
  };
  const leave = async (userId: string, error?: Error) => {
    // Whoever was let in is inside a moment later, and so is the next.
    await settled();
    inside.get(userId)?.(error);
    await settled();
  };
  return { come, leave, entered };
}

describe('the gate to push services', () => {
  it('lets doubtful phones in behind all others, even those that came later', async () => {
    const { come, leave, entered } = stand({ parallel: 1, perUser: 1 });
    for (const user of ['first', 'doubtful', 'sure']) come(user, user === 'doubtful');
    await leave('first');
    await leave('sure');
    expect(entered).toEqual(['first', 'sure', 'doubtful']);
  });

  it('keeps half of its places free of doubtful phones', async () => {
    const { come, entered } = stand({ parallel: 4, perUser: 4 });
    for (const user of ['d1', 'd2', 'd3', 'd4']) come(user, true);
    for (const user of ['s1', 's2', 's3']) come(user);
    await settled();
    expect(entered).toEqual(['d1', 'd2', 's1', 's2']);
  });

  it('gives a place to whoever had none for the longest', async () => {
    const { come, leave, entered } = stand({ parallel: 1, perUser: 1 });
    for (const user of ['often', 'often', 'late']) come(user);
    await leave('often');
    await leave('late');
    expect(entered).toEqual(['often', 'late', 'often']);
  });

  it('forgets who was there once nobody is', async () => {
    const { come, leave, entered } = stand({ parallel: 1, perUser: 1 });
    come('known');
    await leave('known');
    // Were the visit remembered, the stranger would go before: they never had a place.
    for (const user of ['third', 'known', 'stranger']) come(user);
    await leave('third');
    await leave('known');
    expect(entered).toEqual(['known', 'third', 'known', 'stranger']);
  });

  it('has the place back of a call that fails, and says so', async () => {
    const { come, leave, entered } = stand({ parallel: 1, perUser: 1 });
    const failing = come('failing');
    come('next');
    await leave('failing', new Error('gone wrong'));
    await expect(failing).rejects.toThrow('gone wrong');
    expect(entered).toEqual(['failing', 'next']);
  });
});
