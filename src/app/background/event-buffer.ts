/**
 * What an engine hears before any screen is there to say it: after a sign-in it sends what had
 * waited while the form still says that it went well.
 */
import type { SyncEngine, SyncEvent } from '#sync/engine.ts';

/** An answer of the server to an operation. */
export type OperationEvent = Exclude<SyncEvent, { kind: 'status' }>;

type Source = Pick<SyncEngine, 'subscribe'>;

const kept = new WeakMap<Source, { events: OperationEvent[]; stop(): void }>();

/** From the engine's first moment on, until somebody takes it. */
export function bufferEvents(engine: Source): void {
  const events: OperationEvent[] = [];
  const stop = engine.subscribe((event) => {
    if (event.kind !== 'status') events.push(event);
  });
  kept.set(engine, { events, stop });
}

/** What was kept, oldest first; nothing is kept from then on. */
export function takeEvents(engine: Source): readonly OperationEvent[] {
  const early = kept.get(engine);
  kept.delete(engine);
  early?.stop();
  return early?.events ?? [];
}
