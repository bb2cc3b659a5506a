/** Time for everything on the phone that waits; tests bring a fake one. */
export interface Clock {
  /** Milliseconds since 1970; for people and for waiting, never for order. */
  now(): number;
  /** Calls back after `delayMs`; returns what cancels it. */
  after(delayMs: number, callBack: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, callBack) {
    const timer = setTimeout(callBack, delayMs);
    return () => clearTimeout(timer);
  },
};
