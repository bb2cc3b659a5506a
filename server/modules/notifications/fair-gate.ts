/**
 * The way out to push services: a few calls at a time, whoever they are for. Who answers nothing keeps
 * a place until the time-out, so nobody may have them all:
 *  - one user has `perUser` places at most, and a place goes to whoever had none for the longest;
 *  - phones that have answered nothing for a while (`isDoubtful`) come after all others, and have half
 *    of the places at most.
 */

export interface GateLimits {
  /** Calls under way at one time. */
  parallel: number;
  /** Of them for one user. */
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
  /** By user, the number of the last entry. */
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
    // With nobody there, nobody is owed anything.
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
