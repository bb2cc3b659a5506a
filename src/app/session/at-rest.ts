import type { SyncEngine } from '#sync/engine.ts';

/** Resolves once the engine does nothing; at once where there is none. */
export function untilAtRest(engine: Pick<SyncEngine, 'status' | 'subscribe'> | undefined) {
  return new Promise<void>((resolve) => {
    if (!engine || engine.status().phase === 'idle') return resolve();
    const stop = engine.subscribe((event) => {
      if (event.kind !== 'status' || event.status.phase !== 'idle') return;
      stop();
      resolve();
    });
  });
}
