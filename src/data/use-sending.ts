import { useSyncExternalStore } from 'react';
import type { InFlight } from '#sync/outbox/in-flight.ts';
import { useSignedIn } from './services.ts';

/** In any tab. */
function useIsInFlight(matches: (flight: InFlight) => boolean): boolean {
  const { engine } = useSignedIn();
  return useSyncExternalStore(engine.subscribe, () => engine.status().sending.some(matches));
}

/** `lane` of a package or user (domain `laneOf`). */
export function useIsLaneSending(lane: string): boolean {
  return useIsInFlight((flight) => flight.lane === lane);
}

export function useIsSending(operationId: string): boolean {
  return useIsInFlight((flight) => flight.operationId === operationId);
}
