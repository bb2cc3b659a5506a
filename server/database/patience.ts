/** How long anybody waits for an answer of the database. */

/**
 * What `ask` answers within `limitMs`. Else rejects with a bare Error, as the driver does (see
 * isUnavailable), after `giveUp`.
 */
export async function patiently<T>(
  limitMs: number,
  ask: () => Promise<T>,
  giveUp: (error: Error) => void,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new Error('the database gave no answer in time');
      giveUp(error);
      reject(error);
    }, limitMs);
  });
  try {
    return await Promise.race([ask(), end]);
  } finally {
    clearTimeout(timer);
  }
}
