import type { Intent } from '#domain/operation.ts';
import { sending as words } from '#messages/en/sending.ts';
import { notSavedSentence, queuedSentence, queuedToast, undoToast } from './sending-messages.ts';
import { useSignedIn } from './services.ts';
import { DecidedElsewhereError, type Sending, type Sent, useSend } from './use-send.ts';
import { useWithdrawal } from './use-withdrawal.ts';

interface ToastOptions {
  subject?: string;
  durationMs?: number;
  action?: { label: string; onAct(): void };
}

/** Provided by ui/toast.tsx, which this room may not import. */
type Show = Record<
  'showInfo' | 'showSuccess' | 'showError',
  (text: string, options?: ToastOptions) => void
>;

/**
 * Enqueues an intent; if it has to wait, shows a toast, with Undo where possible. Resolves with
 * null if it could not be saved.
 */
export function useSubmitIntent({ showInfo, showSuccess, showError }: Show) {
  const send = useSend();
  const withdrawalOf = useWithdrawal();
  const { storage } = useSignedIn().db;

  const sayQueued = (sent: Sent) => {
    // The eventual answer is announced by the app shell.
    if (sent.kind !== 'queued') return;
    const fault = storage.fault();
    const text = queuedSentence(sent, fault);
    // Nothing is saved without storage, so no tick.
    const show = fault === 'none' ? showInfo : showSuccess;
    const withdraw = withdrawalOf(sent.operation);
    if (!withdraw) return show(text, queuedToast);
    const onAct = async () => {
      const isBack = await withdraw().catch(() => false);
      if (isBack) showInfo(words.undone);
      else showError(words.notUndone);
    };
    show(text, { ...undoToast, action: { label: words.undo, onAct: () => void onAct() } });
  };

  return async (intent: Intent, replaces: string | null = null): Promise<Sending | null> => {
    try {
      const sending = await send(intent, replaces);
      void sending.answer.then(sayQueued);
      return sending;
    } catch (error) {
      const isDecided = error instanceof DecidedElsewhereError;
      showError(isDecided ? words.decided : notSavedSentence(error, intent.name));
      return null;
    }
  };
}
