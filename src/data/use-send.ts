import { useCallback } from 'react';
import type { Intent, Operation } from '#domain/operation.ts';
import { isUnanswered } from '#domain/outcome.ts';
import type { SyncEngine } from '#sync/engine.ts';
import { useSignedIn } from './services.ts';

/** How long a screen waits for the server before it reports the action as queued. */
export const confirmationWaitMs = 1500;

export type Sent =
  | { kind: 'confirmed'; operation: Operation }
  /** Durable on this device, not answered yet. */
  | { kind: 'queued'; operation: Operation; because: 'offline' | 'slow' }
  | { kind: 'refused'; operation: Operation };

export interface Sending {
  operation: Operation;
  /** Never rejects; settles within `confirmationWaitMs`. */
  answer: Promise<Sent>;
}

/** Another tab has resolved the refused operation that was to be replaced. */
export class DecidedElsewhereError extends Error {
  override name = 'DecidedElsewhereError';
}

/** Only decides what is shown; the engine tries regardless. */
const browserIsOnline = () => navigator.onLine;

/**
 * Resolves once the intent is durable. `replaces`: id of a refused operation. Rejects with
 * NotSavedError if nothing was queued, DecidedElsewhereError if `replaces` is gone.
 */
export async function send(
  engine: SyncEngine,
  intent: Intent,
  isOnline: () => boolean = browserIsOnline,
  replaces: string | null = null,
): Promise<Sending> {
  const settled = new Map<string, Sent>();
  let settle: ((sent: Sent) => void) | null = null;
  let awaitedId = '';
  // Subscribed first, since the answer may arrive before `enqueue` resolves.
  const unsubscribe = engine.subscribe((event) => {
    if (event.kind === 'status') return;
    const kind = event.kind === 'acknowledged' ? 'confirmed' : 'refused';
    const sent: Sent = { kind, operation: event.operation };
    if (event.operation.id === awaitedId) settle?.(sent);
    else if (awaitedId === '') settled.set(event.operation.id, sent);
  });
  try {
    const operation =
      replaces === null ? await engine.enqueue(intent) : await engine.replace(replaces, intent);
    if (!operation) throw new DecidedElsewhereError();
    awaitedId = operation.id;
    const early = settled.get(operation.id);
    const answer = new Promise<Sent>((resolve) => {
      const queue = () => {
        const isSilent = isUnanswered(engine.status().lastFailure);
        const because = isSilent || !isOnline() ? 'offline' : 'slow';
        resolve({ kind: 'queued', operation, because });
      };
      // Offline there is nothing to wait for.
      const timer = setTimeout(queue, isOnline() ? confirmationWaitMs : 0);
      settle = (sent) => {
        clearTimeout(timer);
        resolve(sent);
      };
      if (early) settle(early);
    });
    void answer.then(unsubscribe);
    return { operation, answer };
  } catch (error) {
    unsubscribe();
    throw error;
  }
}

export function useSend(): (intent: Intent, replaces?: string | null) => Promise<Sending> {
  const { engine } = useSignedIn();
  return useCallback(
    (intent, replaces) => send(engine, intent, browserIsOnline, replaces),
    [engine],
  );
}
