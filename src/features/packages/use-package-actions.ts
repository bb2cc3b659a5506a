import { useSetAtom } from 'jotai';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Intent } from '#domain/operation.ts';
import type { PackageView } from '#domain/overlay.ts';
import { type Actor, can, factsOf } from '#domain/policy.ts';
import { partyToWire, type User } from '#domain/user.ts';
import { useSignedIn } from '#live/services.ts';
import { DecidedElsewhereError, type Sent, useSend } from '#live/use-send.ts';
import { useWithdrawal } from '#live/use-withdrawal.ts';
import {
  notSavedSentence,
  queuedSentence,
  queuedToast,
  sendingWords,
  undoToast,
} from '#live/words.ts';
import { removedPackageAtom, selectedPackageAtom } from '#state/package-ui.ts';
import { askInToast, showError, showInfo, showSuccess } from '#ui/toast.tsx';
import { refusalSentence, words } from './words.ts';

/** SPEC.md section 9. */
const questionMs = 10_000;

/** Says that something is saved and will be sent, with the way back where there is one. */
function useSayingQueued(): (sent: Sent) => void {
  const withdrawalOf = useWithdrawal();
  const { storage } = useSignedIn().db;
  return (sent) => {
    // The server's answer is said once for the whole app, however late it comes.
    if (sent.kind !== 'queued') return;
    const text = queuedSentence(sent, storage.fault());
    const withdraw = withdrawalOf(sent.operation);
    if (!withdraw) return showSuccess(text, queuedToast);
    const onAct = async () => {
      const isBack = await withdraw().catch(() => false);
      if (isBack) showInfo(sendingWords.undone);
      else showError(sendingWords.notUndone);
    };
    const action = { label: sendingWords.undo, onAct: () => void onAct() };
    showSuccess(text, { ...undoToast, action });
  };
}

/**
 * Saves an intent, in the place of a refused operation if one is named, and says if it has to wait;
 * false where it could not be saved.
 */
export function useSaying(): (intent: Intent, replaces?: string | null) => Promise<boolean> {
  const send = useSend();
  const sayQueued = useSayingQueued();
  return async (intent, replaces = null) => {
    try {
      const { answer } = await send(intent, replaces);
      void answer.then(sayQueued);
      return true;
    } catch (error) {
      const isDecided = error instanceof DecidedElsewhereError;
      showError(isDecided ? sendingWords.decided : notSavedSentence(error));
      return false;
    }
  };
}

/** What the buttons on cards and the detail page do. */
export function usePackageActions(pkg: PackageView, actor: Actor) {
  const [isBusy, setIsBusy] = useState(false);
  const navigate = useNavigate();
  const select = useSetAtom(selectedPackageAtom);
  const setRemoved = useSetAtom(removedPackageAtom);
  const say = useSaying();
  const target = { targetId: pkg.id };

  const act = async (intent: Intent, then: () => void) => {
    if (isBusy) return;
    setIsBusy(true);
    const isSaved = await say(intent);
    setIsBusy(false);
    if (isSaved) then();
  };

  const accept = (self: User) => {
    const decision = can(actor, 'accept', factsOf(pkg));
    if (!decision.isAllowed) {
      showError(refusalSentence(decision.code));
      return;
    }
    const intent: Intent = {
      ...target,
      name: 'acceptPackage',
      args: { courier: partyToWire(self) },
    };
    void act(intent, () => {
      // The list shows it wherever it stands.
      select(pkg.id);
      navigate('/delivery/in-transit');
    });
  };

  const reject = () =>
    askInToast(
      {
        ...words.rejectQuestion,
        confirmLabel: words.confirm,
        cancelLabel: words.cancel,
        confirmTone: 'danger',
        durationMs: questionMs,
      },
      () => void act({ ...target, name: 'rejectDelivery', args: {} }, () => navigate(-1)),
    );

  const deliver = () => void act({ ...target, name: 'deliverPackage', args: {} }, () => undefined);

  const remove = () => {
    const decision = can(actor, 'delete', factsOf(pkg));
    if (!decision.isAllowed) {
      showError(refusalSentence(decision.code));
      return;
    }
    askInToast(
      {
        ...words.deleteQuestion,
        confirmLabel: words.confirm,
        cancelLabel: words.cancel,
        confirmTone: 'danger',
        durationMs: questionMs,
      },
      () =>
        void act({ ...target, name: 'deletePackage', args: {} }, () => {
          setRemoved(pkg.id);
          navigate('/tracking', { replace: true });
        }),
    );
  };

  return { isBusy, accept, reject, deliver, remove };
}
