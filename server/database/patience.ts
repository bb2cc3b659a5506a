/**
 * How long anybody waits for the database. A call has one measure for all that it asks, so that ten
 * questions do not wait ten times as long as one: invariant: what a call waits for the database is
 * at most its measure, whatever it asks and however the database fails to answer.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** What is left of it, for the call that is being answered. */
const measures = new AsyncLocalStorage<{ leftMs: number }>();

/** Runs `work`; all that it asks of the database together may take `ms`. */
export function withMeasure<T>(ms: number, work: () => T): T {
  return measures.run({ leftMs: ms }, work);
}

const tooLate = () => new Error('the database gave no answer in time');

/**
 * What `ask` answers, where it does within `limitMs` and what is left to the call. Else rejects
 * with a bare Error, as the driver does (see isUnavailable), after `giveUp`. With nothing left it
 * does not ask.
 */
export async function patiently<T>(
  limitMs: number,
  ask: () => Promise<T>,
  giveUp: (error: Error) => void,
): Promise<T> {
  const measure = measures.getStore();
  const ms = Math.min(limitMs, measure?.leftMs ?? limitMs);
  if (ms <= 0) throw tooLate();
  const beganAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = tooLate();
      giveUp(error);
      reject(error);
    }, ms);
  });
  try {
    return await Promise.race([ask(), end]);
  } finally {
    clearTimeout(timer);
    if (measure) measure.leftMs -= performance.now() - beganAt;
  }
}
