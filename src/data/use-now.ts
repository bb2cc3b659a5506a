import { useSyncExternalStore } from 'react';
import { clockOffsetMs, serverNow, subscribeToClockOffset } from '#api/server-time.ts';

export { serverNow, serverNowIso } from '#api/server-time.ts';

const tickMs = 30_000;

let nowMs = serverNow();
let stop = () => {};
const listeners = new Set<() => void>();

function tick() {
  nowMs = serverNow();
  for (const listener of listeners) listener();
}

/** One shared timer for all subscribers. */
function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    nowMs = serverNow();
    const timer = setInterval(tick, tickMs);
    const unsubscribe = subscribeToClockOffset(tick);
    stop = () => {
      clearInterval(timer);
      unsubscribe();
    };
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) stop();
  };
}

/** The current time in milliseconds, by the server's clock, updated every 30 s. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => nowMs);
}

/** By how much the phone's clock is fast; negative: slow. */
export function useClockOffset(): number {
  return useSyncExternalStore(subscribeToClockOffset, clockOffsetMs);
}
