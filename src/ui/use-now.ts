import { useSyncExternalStore } from 'react';

const tickMs = 30_000;

let nowMs = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function tick() {
  nowMs = Date.now();
  for (const listener of listeners) listener();
}

/** One clock for all who ask: a list of a hundred times has one timer. */
function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    nowMs = Date.now();
    timer = setInterval(tick, tickMs);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

/** The time in milliseconds, told anew every half minute. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => nowMs);
}
