/** How long anybody waits for an answer. */

/** What `ask` answers within `limitMs`; else rejects with the error that `giveUp` makes of it. */
export async function patiently<T>(
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
