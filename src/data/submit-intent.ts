/** Saves an intent: durable first, then a toast about the outcome. */

import { readHistory } from '#db/queries.ts';
import { NotSavedError, type StorageFault } from '#db/storage-fault.ts';
import { wayBefore } from '#domain/event.ts';
import { events } from '#domain/event-types.ts';
import {
  eventOf,
  type Intent,
  isCancellable,
  type Operation,
  operations,
} from '#domain/operation.ts';
import type { OperationName } from '#domain/operation-names.ts';
import { isUnanswered } from '#domain/outcome.ts';
import { sending as words } from '#messages/en/sending.ts';
import type { SyncEngine } from '#sync/engine.ts';
import { type SignedIn, useSignedIn } from './services.ts';

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

/** The refused operation that was to be replaced has been decided on in another tab. */
export class DecidedElsewhereError extends Error {
  override name = 'DecidedElsewhereError';
}

/** Only for the wording: the engine tries in any case. */
const browserIsOnline = () => navigator.onLine;

/**
 * Makes the intent durable and shows the outcome. Resolves once it is saved on the device;
 * rejects with NotSavedError where it was not, and then nothing was queued. `replaces`: the refused
 * operation that it replaces; rejects with DecidedElsewhereError where that no longer exists.
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
      // Offline there is no answer to wait for.
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

/** Why an intent of this name is not on this phone. */
export function notSavedSentence(error: unknown, name: OperationName): string {
  const fault = error instanceof NotSavedError ? error.fault : null;
  if (fault === 'outdated') return words.notSavedFor.outdated;
  const sentence = fault === 'full' ? words.notSavedFor.full : words.notSaved;
  return operations[name].input === 'button' ? sentence : `${sentence} ${words.formKept}`;
}

/** Says that an intent waits; `storage`: its fault. Never claims 'saved' for an unsaved one. */
export function queuedSentence(
  { because }: Extract<Sent, { kind: 'queued' }>,
  storage: StorageFault | null,
): string {
  return storage === 'none' ? words.held[because] : words.queued[because];
}

/** One toast for both states of a saved operation: sending, then sent. */
export const sendingSubject = 'sending';

interface ToastOptions {
  subject?: string;
  durationMs?: number;
  action?: { label: string; onAct(): void };
}

/** The functions of ui/toast.tsx, which this room may not import. */
export type Show = Record<
  'showInfo' | 'showSuccess' | 'showError',
  (text: string, options?: ToastOptions) => void
>;

/** Takes an operation back, and says whether it was still possible. */
export async function cancelWithToast(
  engine: SyncEngine,
  operationId: string,
  { showInfo, showError }: Pick<Show, 'showInfo' | 'showError'>,
): Promise<void> {
  const isCancelled = await engine.cancel(operationId).catch(() => false);
  if (isCancelled) showInfo(words.undone);
  else showError(words.notUndone);
}

/** How long a toast offers to take back a step. */
export const undoMs = 10_000;

export const isStep = (operation: Operation): boolean => {
  const event = eventOf(operation);
  return event !== null && events[event.type].isCorrectable;
};

interface Step {
  /** The event's id, the same as the operation's. */
  id: string;
  packageId: string;
  subject?: string | undefined;
}

/** Withdraws an operation that was certainly not sent; else records a correction, and says so. */
export async function undoWithToast(
  { db, engine }: Pick<SignedIn, 'db' | 'engine'>,
  { id, packageId, subject }: Step,
  toasts: Pick<Show, 'showInfo' | 'showError'>,
): Promise<void> {
  const history = await readHistory(db, packageId).catch(() => undefined);
  const before = wayBefore(history?.events ?? [], id);
  try {
    const correction = await engine.undo({
      name: 'correctStep',
      targetId: packageId,
      args: { corrects: id, ...(before && { before }) },
      ...(subject !== undefined && { subject }),
    });
    toasts.showInfo(correction ? words.takenBack : words.undone, { subject: sendingSubject });
  } catch (error) {
    toasts.showError(notSavedSentence(error, 'correctStep'));
  }
}

/**
 * Saves an intent, replacing a refused operation if one is named, and shows a toast if it has to
 * wait, with Undo where that is possible. Resolves with null where it could not be saved.
 */
export function useSubmitIntent(toasts: Show) {
  const { db, engine, packages } = useSignedIn();

  const sayQueued = (sent: Sent) => {
    // The server's answer is announced once for the whole app, however late it comes.
    if (sent.kind !== 'queued') return;
    const fault = db.storage.fault();
    const text = queuedSentence(sent, fault);
    // Without storage nothing is saved, so there is no tick.
    const show = fault === 'none' ? toasts.showInfo : toasts.showSuccess;
    const { operation } = sent;
    if (isStep(operation)) {
      const { id, targetId: packageId, subject } = operation;
      const onAct = () => void undoWithToast({ db, engine }, { id, packageId, subject }, toasts);
      const action = { label: words.undo, onAct };
      return show(text, { subject: sendingSubject, durationMs: undoMs, action });
    }
    if (!isCancellable(operation, packages.state().operations ?? [])) {
      return show(text, { subject: sendingSubject, durationMs: 3000 });
    }
    const onAct = () => void cancelWithToast(engine, operation.id, toasts);
    // Longer, with something to press in it.
    show(text, {
      subject: sendingSubject,
      durationMs: 8000,
      action: { label: words.undo, onAct },
    });
  };

  return async (intent: Intent, replaces: string | null = null): Promise<Sending | null> => {
    try {
      const sending = await send(engine, intent, browserIsOnline, replaces);
      void sending.answer.then(sayQueued);
      return sending;
    } catch (error) {
      const isDecided = error instanceof DecidedElsewhereError;
      toasts.showError(isDecided ? words.decided : notSavedSentence(error, intent.name));
      return null;
    }
  };
}
