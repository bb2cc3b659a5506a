/** Ending an engine cleanly: nothing of it waits for the network any more and nothing writes after. */

/** The engine was stopped while this was under way: let go of, not failed. */
export class StoppedError extends Error {
  override name = 'StoppedError';
}

export interface Stopper {
  isStopped(): boolean;
  /**
   * Passes an answer on; rejects with StoppedError once stopped, at once and not when the answer
   * comes. The request itself may still reach the server: its operation is then sent again, under
   * the same key, by whoever opens this database next.
   */
  unlessStopped<T>(answer: Promise<T>): Promise<T>;
  /** Work that `stop` waits for. */
  track<T>(work: Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

export function createStopper(): Stopper {
  let isStopped = false;
  const abandon = new Set<(reason: StoppedError) => void>();
  const tracked = new Set<Promise<unknown>>();
  return {
    isStopped: () => isStopped,
    unlessStopped<T>(answer: Promise<T>): Promise<T> {
      return new Promise((resolve, reject) => {
        abandon.add(reject);
        const settle = (then: () => void) => {
          abandon.delete(reject);
          then();
        };
        answer.then(
          (value) => settle(() => resolve(value)),
          (error) => settle(() => reject(error)),
        );
        if (isStopped) reject(new StoppedError());
      });
    },
    track<T>(work: Promise<T>): Promise<T> {
      tracked.add(work);
      const done = () => tracked.delete(work);
      work.then(done, done);
      return work;
    },
    async stop() {
      isStopped = true;
      for (const reject of abandon) reject(new StoppedError());
      abandon.clear();
      await Promise.allSettled(tracked);
    },
  };
}
