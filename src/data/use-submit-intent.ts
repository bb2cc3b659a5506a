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

/** Of ui/toast.tsx, which this room does not know. */
type Show = Record<
  'showInfo' | 'showSuccess' | 'showError',
  (text: string, options?: ToastOptions) => void
>;

/**
 * Saves an intent, replacing a refused operation if one is named, and shows a toast if it has to
 * wait, with Undo where that is possible. Resolves with null where it could not be saved.
 */
export function useSubmitIntent({ showInfo, showSuccess, showError }: Show) {
  const send = useSend();
  const withdrawalOf = useWithdrawal();
  const { storage } = useSignedIn().db;

  const sayQueued = (sent: Sent) => {
    // The server's answer is announced once for the whole app, however late it comes.
    if (sent.kind !== 'queued') return;
    const fault = storage.fault();
    const text = queuedSentence(sent, fault);
    // Without storage nothing is saved, so there is no tick.
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
