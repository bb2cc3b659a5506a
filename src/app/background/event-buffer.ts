/**
 * What an engine hears before any screen is there to say it: after a sign-in it sends what had
 * waited while the form still says that it went well.
 */
import type { SyncEngine, SyncEvent } from '#sync/engine.ts';

/** An answer of the server to an operation. */
export type News = Exclude<SyncEvent, { kind: 'status' }>;

type Heard = Pick<SyncEngine, 'subscribe'>;

const kept = new WeakMap<Heard, { news: News[]; stop(): void }>();

/** From the engine's first moment on, until somebody takes it. */
export function keepNews(engine: Heard): void {
  const news: News[] = [];
  const stop = engine.subscribe((event) => {
    if (event.kind !== 'status') news.push(event);
  });
  kept.set(engine, { news, stop });
}

/** What was kept, oldest first; nothing is kept from then on. */
export function takeNews(engine: Heard): readonly News[] {
  const early = kept.get(engine);
  kept.delete(engine);
  early?.stop();
  return early?.news ?? [];
}
