import { useSetAtom } from 'jotai';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { formatNaira } from '#domain/money.ts';
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
import { useGoBack } from '#ui/back-button.tsx';
import { showError, showInfo, showSuccess } from '#ui/toast.tsx';
import { useQuestion } from './use-question.ts';
import { refusalSentence, words } from './words.ts';

/** Says that something is saved and will be sent, with the way back where there is one. */
function useSayingQueued(): (sent: Sent) => void {
  const withdrawalOf = useWithdrawal();
  const { storage } = useSignedIn().db;
  return (sent) => {
    // The server's answer is said once for the whole app, however late it comes.
    if (sent.kind !== 'queued') return;
    const fault = storage.fault();
    const text = queuedSentence(sent, fault);
    // What nothing keeps gets no tick.
    const say = fault === 'none' ? showInfo : showSuccess;
    const withdraw = withdrawalOf(sent.operation);
    if (!withdraw) return say(text, queuedToast);
    const onAct = async () => {
      const isBack = await withdraw().catch(() => false);
      if (isBack) showInfo(sendingWords.undone);
      else showError(sendingWords.notUndone);
    };
    const action = { label: sendingWords.undo, onAct: () => void onAct() };
    say(text, { ...undoToast, action });
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
      showError(isDecided ? sendingWords.decided : notSavedSentence(error, intent.name));
      return false;
    }
  };
}

/** 'KY-000042 · Two bolts of cloth': what an operation is about, kept with it. */
export function subjectOf(pkg: PackageView): string {
  return [pkg.packageId, pkg.description].filter(Boolean).join(' · ').slice(0, 200);
}

/** What the buttons on cards and the detail page do. */
export function usePackageActions(pkg: PackageView, actor: Actor) {
  const [isBusy, setIsBusy] = useState(false);
  const navigate = useNavigate();
  const goBack = useGoBack('/delivery/in-transit');
  const select = useSetAtom(selectedPackageAtom);
  const setRemoved = useSetAtom(removedPackageAtom);
  const say = useSaying();
  const about = subjectOf(pkg);
  const target = { targetId: pkg.id, subject: about };
  const ask = useQuestion(pkg);

  const act = async (intent: Intent, then: () => void, otherwise = () => {}) => {
    if (isBusy) return;
    setIsBusy(true);
    const isSaved = await say(intent);
    setIsBusy(false);
    if (isSaved) then();
    else otherwise();
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
      args: { courier: partyToWire(self), baseVersion: pkg.version },
    };
    void act(intent, () => {
      // The list shows it wherever it stands.
      select(pkg.id);
      navigate('/delivery/in-transit');
    });
  };

  const reject = () =>
    ask({ actor, about, action: 'reject', question: words.rejectQuestion }, () => {
      void act({ ...target, name: 'rejectDelivery', args: {} }, goBack);
    });

  const deliver = () => {
    const send = () => void act({ ...target, name: 'deliverPackage', args: {} }, () => undefined);
    // A tap by mistake can be made good by an admin, but not the money that went with it.
    if (pkg.paymentMethod !== 'app' || pkg.paymentStatus !== 'paid') return send();
    const by =
      pkg.sender.id === actor.id ? 'bySender' : actor.role === 'Admin' ? 'byAdmin' : 'byCourier';
    const { title } = words.deliverQuestion;
    const question = { title, text: words.deliverQuestion[by](formatNaira(pkg.priceOfferKobo)) };
    ask({ actor, about, action: 'deliver', question, tone: 'primary' }, send);
  };

  const remove = (onFailed = () => {}) =>
    ask({ actor, about, action: 'delete', question: words.deleteQuestion }, () => {
      const leave = () => {
        setRemoved(pkg.id);
        navigate('/tracking', { replace: true });
      };
      void act({ ...target, name: 'deletePackage', args: {} }, leave, onFailed);
    });

  return { isBusy, accept, reject, deliver, remove };
}
