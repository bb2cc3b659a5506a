import { useCallback } from 'react';
import type { Intent, Operation } from '#domain/operation.ts';
import { isUnanswered } from '#domain/outcome.ts';
import type { SyncEngine } from '#sync/engine.ts';
import { useSignedIn } from './services.ts';

/** How long a screen waits for the server before it says that the action is saved for later. */
export const confirmationWaitMs = 1500;

export type Sent =
  | { kind: 'confirmed'; operation: Operation }
  /** Durable on this device, not yet answered by the server: no network, or a slow one. */
  | { kind: 'queued'; operation: Operation; because: 'offline' | 'slow' }
  | { kind: 'refused'; operation: Operation };

export interface Sending {
  operation: Operation;
  /** Never rejects; settles within `confirmationWaitMs`. */
  answer: Promise<Sent>;
}

/** The refused operation that was to be replaced has been decided on meanwhile, in another tab. */
export class DecidedElsewhereError extends Error {
  override name = 'DecidedElsewhereError';
}

/** A hint only, and nothing waits for it but words: the engine tries all the same. */
const browserIsOnline = () => navigator.onLine;

/**
 * Makes the intent durable and says what became of it. Resolves once it is saved on the device;
 * rejects with NotSavedError where it was not, and then nothing was queued. `replaces`: the refused
 * operation in whose place it goes; rejects with DecidedElsewhereError where that is not there.
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
  // Before enqueueing: the answer may be here before `enqueue` has resolved.
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
      // Nobody waits for an answer that cannot come.
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

/** `send` for the engine of whoever is signed in. */
export function useSend(): (intent: Intent, replaces?: string | null) => Promise<Sending> {
  const { engine } = useSignedIn();
  return useCallback(
    (intent, replaces) => send(engine, intent, browserIsOnline, replaces),
    [engine],
  );
}
