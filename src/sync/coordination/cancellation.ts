/** Ending an engine cleanly: nothing of it waits for the network any more and nothing writes after. */

/** The engine was stopped while this was under way: let go of, not failed. */
export class StoppedError extends Error {
  override name = 'StoppedError';
}

export interface Cancellation {
  /** Aborted once stopped. */
  signal: AbortSignal;
  /**
   * Passes an answer on; rejects with StoppedError as soon as stopped, without waiting for it. The
   * request may still reach the server: its operation is then sent again under the same key.
   */
  unlessStopped<T>(answer: Promise<T>): Promise<T>;
  /** Work that `stop` waits for. */
  track<T>(work: Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

export function createCancellation(): Cancellation {
  const controller = new AbortController();
  const { signal } = controller;
  const tracked = new Set<Promise<unknown>>();
  return {
    signal,
    async unlessStopped<T>(answer: Promise<T>): Promise<T> {
      let stop = () => {};
      const stopped = new Promise<never>((_, reject) => {
        stop = () => reject(new StoppedError());
      });
      signal.addEventListener('abort', stop);
      if (signal.aborted) stop();
      try {
        return await Promise.race([answer, stopped]);
      } finally {
        signal.removeEventListener('abort', stop);
      }
    },
    track<T>(work: Promise<T>): Promise<T> {
      tracked.add(work);
      const done = () => tracked.delete(work);
      work.then(done, done);
      return work;
    },
    async stop() {
      controller.abort();
      await Promise.allSettled(tracked);
    },
  };
}
