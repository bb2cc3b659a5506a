import { useSetAtom } from 'jotai';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { refusalMessage } from '#contract/errors.ts';
import { useSubmitIntent } from '#data/submit-intent.ts';
import { formatNaira } from '#domain/money.ts';
import type { Intent } from '#domain/operation.ts';
import type { PackageView } from '#domain/overlay.ts';
import { type Actor, can, factsOf } from '#domain/policy.ts';
import { partyToWire, type User } from '#domain/user.ts';
import { packages as words } from '#messages/en/packages.ts';
import { removedPackageAtom, selectedPackageAtom } from '#state/package-ui.ts';
import { useGoBack } from '#ui/back-button.tsx';
import * as toasts from '#ui/toast.tsx';
import { useQuestion } from './use-question.ts';

/** 'KY-000042 · Two bolts of cloth': an operation's subject, stored with it. */
export function subjectOf(pkg: PackageView): string {
  return [pkg.packageId, pkg.description].filter(Boolean).join(' · ').slice(0, 200);
}

export function usePackageActions(pkg: PackageView, actor: Actor) {
  const [isBusy, setIsBusy] = useState(false);
  const navigate = useNavigate();
  const goBack = useGoBack('/delivery/in-transit');
  const select = useSetAtom(selectedPackageAtom);
  const setRemoved = useSetAtom(removedPackageAtom);
  const submitIntent = useSubmitIntent(toasts);
  const about = subjectOf(pkg);
  const target = { targetId: pkg.id, subject: about };
  const ask = useQuestion(pkg);

  const act = async (intent: Intent, then: () => void, otherwise = () => {}) => {
    if (isBusy) return;
    setIsBusy(true);
    const isSaved = await submitIntent(intent);
    setIsBusy(false);
    if (isSaved) then();
    else otherwise();
  };

  const accept = (self: User) => {
    const decision = can(actor, 'accept', factsOf(pkg));
    if (!decision.isAllowed) return toasts.showError(refusalMessage(decision.code));
    const intent: Intent = {
      ...target,
      name: 'acceptPackage',
      args: { courier: partyToWire(self), baseVersion: pkg.version },
    };
    void act(intent, () => {
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
    // An admin can undo a mistaken delivery but not its payout.
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
