/** Stops an engine: it no longer waits for the network and writes nothing afterwards. */

/** The engine was stopped while this was in progress; not a failure. */
export class StoppedError extends Error {
  override name = 'StoppedError';
}

export interface Cancellation {
  signal: AbortSignal;
  /** Rejects with StoppedError on `stop`; a request in flight may still reach the server. */
  unlessStopped<T>(answer: Promise<T>): Promise<T>;
  /** `stop` waits for this work. */
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
