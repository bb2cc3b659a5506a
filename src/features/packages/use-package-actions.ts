import { useSetAtom } from 'jotai';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Intent } from '#domain/operation.ts';
import type { PackageView } from '#domain/overlay.ts';
import { type Actor, can, factsOf } from '#domain/policy.ts';
import { partyToWire, type User } from '#domain/user.ts';
import { useSignedIn } from '#live/services.ts';
import { useSend } from '#live/use-send.ts';
import { notSavedSentence, queuedSentence, queuedToast } from '#live/words.ts';
import { removedPackageAtom, selectedPackageAtom } from '#state/package-ui.ts';
import { askInToast, showError, showSuccess } from '#ui/toast.tsx';
import { refusalSentence, words } from './words.ts';

/** SPEC.md section 9. */
const questionMs = 10_000;

/** Saves an intent and says if it has to wait; false where it could not be saved. */
export function useSaying(): (intent: Intent) => Promise<boolean> {
  const send = useSend();
  const { storage } = useSignedIn().db;
  return async (intent) => {
    try {
      const { answer } = await send(intent);
      // The server's answer is said once for the whole app, however late it comes.
      void answer.then((sent) => {
        if (sent.kind === 'queued') {
          showSuccess(queuedSentence(sent, storage.fault()), queuedToast);
        }
      });
      return true;
    } catch (error) {
      showError(notSavedSentence(error));
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
