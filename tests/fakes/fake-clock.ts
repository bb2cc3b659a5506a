import type { Clock } from '#db/clock.ts';

/** A manual clock; timers fire in the order of their time. */
export interface FakeClock extends Clock {
  /** Advances and fires due timers on the way. */
  advance(byMs: number): void;
  /** Changes the wall clock without passing time, as a user does in the settings. */
  setBack(toMs: number): void;
  /** Milliseconds until each pending timer, soonest first. */
  pending(): number[];
}

export function createFakeClock(startMs = Date.parse('2026-11-21T10:00:00.000Z')): FakeClock {
  let dayMs = startMs;
  let elapsedMs = 0;
  const timers = new Set<{ dueMs: number; callBack: () => void }>();
  const sorted = () => [...timers].sort((a, b) => a.dueMs - b.dueMs);
  return {
    now: () => dayMs,
    after(delayMs, callBack) {
      const timer = { dueMs: elapsedMs + delayMs, callBack };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(byMs) {
      const endMs = elapsedMs + byMs;
      for (let next = sorted()[0]; next && next.dueMs <= endMs; next = sorted()[0]) {
        timers.delete(next);
        dayMs += next.dueMs - elapsedMs;
        elapsedMs = next.dueMs;
        next.callBack();
      }
      dayMs += endMs - elapsedMs;
      elapsedMs = endMs;
    },
    setBack(toMs) {
      dayMs = toMs;
    },
    pending: () => sorted().map((timer) => timer.dueMs - elapsedMs),
  };
}
