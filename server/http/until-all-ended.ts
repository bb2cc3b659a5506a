/** Waits for all, also where one fails; then throws the first failure. */
export async function untilAllEnded(work: Iterable<Promise<unknown>>): Promise<void> {
  const ended = await Promise.allSettled(work);
  const failed = ended.find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
}
