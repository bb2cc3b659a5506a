import { useSyncExternalStore } from 'react';
import type { InFlight } from '#sync/outbox/in-flight.ts';
import { useSignedIn } from './services.ts';

/** True while something that matches is on its way to the server, whichever tab sends it. */
function useIsInFlight(matches: (flight: InFlight) => boolean): boolean {
  const { engine } = useSignedIn();
  return useSyncExternalStore(engine.subscribe, () => engine.status().sending.some(matches));
}

/** Anything about this package or user (domain `laneOf`). */
export function useIsLaneSending(lane: string): boolean {
  return useIsInFlight((flight) => flight.lane === lane);
}

export function useIsSending(operationId: string): boolean {
  return useIsInFlight((flight) => flight.operationId === operationId);
}
