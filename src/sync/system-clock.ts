import type { Clock } from './ports.ts';

/** The clock of the page or worker. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, callBack) {
    const timer = setTimeout(callBack, delayMs);
    return () => clearTimeout(timer);
  },
};
