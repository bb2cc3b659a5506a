/**
 * Limits concurrent calls to push services. A silent one keeps its slot until the timeout, so no
 * user may take them all:
 * - each user has at most `perUser` slots, and a free slot goes to the user who had none for
 * longest;
 * - phones that have not answered for a while (`isDoubtful`) come last, and get at most half the
 * slots.
 */

export interface GateLimits {
  parallel: number;
  perUser: number;
}

export interface Caller {
  userId: string;
  isDoubtful: boolean;
}

export type Gate = <T>(caller: Caller, work: () => Promise<T>) => Promise<T>;

export function createFairGate({ parallel, perUser }: GateLimits): Gate {
  const waiting: { caller: Caller; enter: () => void }[] = [];
  const inside: Caller[] = [];
  const doubtfulPlaces = Math.max(1, Math.floor(parallel / 2));
  const lastEntry = new Map<string, number>();
  let entries = 0;

  const mayEnter = ({ userId, isDoubtful }: Caller) =>
    inside.length < parallel &&
    inside.filter((one) => one.userId === userId).length < perUser &&
    (!isDoubtful || inside.filter((one) => one.isDoubtful).length < doubtfulPlaces);

  const lastEntryOf = (one: { caller: Caller }) => lastEntry.get(one.caller.userId) ?? 0;

  const letIn = (): void => {
    for (;;) {
      const able = waiting.filter(({ caller }) => mayEnter(caller));
      const sure = able.filter(({ caller }) => !caller.isDoubtful);
      const [first, ...others] = sure.length > 0 ? sure : able;
      if (!first) break;
      const next = others.reduce(
        (best, one) => (lastEntryOf(one) < lastEntryOf(best) ? one : best),
        first,
      );
      waiting.splice(waiting.indexOf(next), 1);
      inside.push(next.caller);
      entries += 1;
      lastEntry.set(next.caller.userId, entries);
      next.enter();
    }
    // With no call in progress there is no order to keep.
    if (inside.length === 0) lastEntry.clear();
  };

  return async (caller, work) => {
    await new Promise<void>((enter) => {
      waiting.push({ caller, enter });
      letIn();
    });
    try {
      return await work();
    } finally {
      inside.splice(inside.indexOf(caller), 1);
      letIn();
    }
  };
}
