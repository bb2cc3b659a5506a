/**
 * Readers of one key share their reads. Who asks while one is under way waits for the next, which
 * begins after they asked: nothing is older than the question, and thousands who ask in the same
 * moment cost two reads.
 */
export function shareReads<T>(read: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const lanes = new Map<string, { current: Promise<T>; next: Promise<T> | null }>();

  const begin = (key: string): Promise<T> => {
    const lane = { current: read(key), next: null };
    lanes.set(key, lane);
    const leave = () => {
      if (lane.next === null) lanes.delete(key);
    };
    lane.current.then(leave, leave);
    return lane.current;
  };

  return (key) => {
    const lane = lanes.get(key);
    if (!lane) return begin(key);
    const follow = () => begin(key);
    lane.next ??= lane.current.then(follow, follow);
    return lane.next;
  };
}
