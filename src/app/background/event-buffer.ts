/** Buffers events until the screens mount: a sign-in sends the outbox before that. */
import type { SyncEngine, SyncEvent } from '#sync/engine.ts';

export type OperationEvent = Exclude<SyncEvent, { kind: 'status' }>;

type Source = Pick<SyncEngine, 'subscribe'>;

const kept = new WeakMap<Source, { events: OperationEvent[]; stop(): void }>();

/** Buffers from the engine's start until `takeEvents`. */
export function bufferEvents(engine: Source): void {
  const events: OperationEvent[] = [];
  const stop = engine.subscribe((event) => {
    if (event.kind !== 'status') events.push(event);
  });
  kept.set(engine, { events, stop });
}

/** Ends buffering and returns the events, oldest first. */
export function takeEvents(engine: Source): readonly OperationEvent[] {
  const early = kept.get(engine);
  kept.delete(engine);
  early?.stop();
  return early?.events ?? [];
}
