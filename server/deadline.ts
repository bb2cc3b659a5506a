/**
 * An end to what is asked of others. Not `AbortSignal.any([stop, AbortSignal.timeout(ms)])`: Node 20 lets
 * a garbage collection take the time-out before it has fired, and then it never does. It can go with Node
 * 20.
 */

/**
 * What `work` comes to. Rejects with an AbortError after `ms`, or with `stop` before that: `work` is told
 * by its signal, and not waited for where it does not listen.
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
