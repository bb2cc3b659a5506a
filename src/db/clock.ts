/** Time and timers; tests use a fake one. */
export interface Clock {
  /** Milliseconds since 1970; for display and waiting, never for ordering. */
  now(): number;
  /** Returns a function that cancels it. */
  after(delayMs: number, callBack: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, callBack) {
    const timer = setTimeout(callBack, delayMs);
    return () => clearTimeout(timer);
  },
};
