export interface TimeLimits {
  /** From the connection, or the last response on it, to the end of the headers. */
  headersMs: number;
  /** To the end of the body: enough for a picture on a bad network. */
  requestMs: number;
  /** Between two requests; longer than a proxy's, so that the proxy closes first. */
  keepAliveMs: number;
  /** Without a byte either way; event streams send heartbeats more often. */
  silenceMs: number;
  checkEveryMs: number;
  /** From a parsed call to its response; the app gives up after 15 s. */
  answerMs: number;
  heartbeatMs: number;
  /** Interval of polling for changes without a notification to recipients, such as positions. */
  lookMs: number;
}

export const timeLimits: TimeLimits = {
  headersMs: 15_000,
  requestMs: 120_000,
  keepAliveMs: 72_000,
  silenceMs: 90_000,
  checkEveryMs: 5_000,
  answerMs: 12_000,
  heartbeatMs: 25_000,
  lookMs: 15_000,
};

/** Resolves with `ask`, or rejects with the error of `giveUp` after `limitMs`. */
export async function withTimeout<T>(
  limitMs: number,
  ask: () => Promise<T>,
  giveUp: () => Error,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(giveUp()), limitMs);
  });
  try {
    return await Promise.race([ask(), end]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Resolves with `work`; rejects with an AbortError after `ms` or on `stop`, even if `work` ignores
 * its signal. Not `AbortSignal.any([stop, AbortSignal.timeout(ms)])`, whose timeout Node 20 may
 * garbage-collect before it fires; can go with Node 20.
 */
export async function withDeadline<T>(
  ms: number,
  stop: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  let end = () => ending.abort();
  const ended = new Promise<never>((_, reject) => {
    end = () => {
      ending.abort();
      reject(ending.signal.reason);
    };
  });
  const timer = setTimeout(end, ms);
  stop?.addEventListener('abort', end);
  if (stop?.aborted) end();
  try {
    return await Promise.race([ended, work(ending.signal)]);
  } finally {
    clearTimeout(timer);
    stop?.removeEventListener('abort', end);
  }
}
