import { useSyncExternalStore } from 'react';

const tickMs = 30_000;

let nowMs = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function tick() {
  nowMs = Date.now();
  for (const listener of listeners) listener();
}

/** One shared timer for all subscribers. */
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

/** The current time in milliseconds, updated every 30 s. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => nowMs);
}
