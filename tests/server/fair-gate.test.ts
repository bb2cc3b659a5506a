import { setImmediate as settled } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createFairGate, type GateLimits } from '#server/modules/notifications/fair-gate.ts';

/** A gate, and calls that complete when the test says so. */
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
    // Admission takes a tick, for each call in turn.
    await settled();
    inside.get(userId)?.(error);
    await settled();
  };
  return { come, leave, entered };
}

describe('the gate to push services', () => {
  it('admits doubtful phones last, even behind later arrivals', async () => {
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

  it('admits the user who has waited longest for a place', async () => {
    const { come, leave, entered } = stand({ parallel: 1, perUser: 1 });
    for (const user of ['often', 'often', 'late']) come(user);
    await leave('often');
    await leave('late');
    expect(entered).toEqual(['often', 'late', 'often']);
  });

  it('forgets users without calls', async () => {
    const { come, leave, entered } = stand({ parallel: 1, perUser: 1 });
    come('known');
    await leave('known');
    // If the visit were remembered, the stranger, who never had a place, would go first.
    for (const user of ['third', 'known', 'stranger']) come(user);
    await leave('third');
    await leave('known');
    expect(entered).toEqual(['known', 'third', 'known', 'stranger']);
  });

  it('frees the place of a failed call and rethrows', async () => {
    const { come, leave, entered } = stand({ parallel: 1, perUser: 1 });
    const failing = come('failing');
    come('next');
    await leave('failing', new Error('gone wrong'));
    await expect(failing).rejects.toThrow('gone wrong');
    expect(entered).toEqual(['failing', 'next']);
  });
});
