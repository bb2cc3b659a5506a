/**
 * What a dispatcher may do with a package now, and doing it. These are not queued: they settle who
 * carries something and what becomes of money, for other people, so they are done when the server
 * says so, or not at all (docs/decisions/0017).
 */
import { useState } from 'react';
import { failureOf } from '#api/failure.ts';
import type { PatchPackageBody } from '#contract/package.ts';
import { newId } from '#data/new-id.ts';
import { useSignedIn } from '#data/services.ts';
import { useSyncStatus } from '#data/use-connection.ts';
import { sentenceOfFailure } from '#domain/outcome.ts';
import type { PackageView } from '#domain/overlay.ts';
import { transition, type Wanted } from '#domain/patch.ts';
import { type Actor, can, factsOf, paymentActionOf } from '#domain/policy.ts';
import { dispatch as words } from '#messages/en/dispatch.ts';

export interface DispatchChoices {
  assign: boolean;
  toPending: boolean;
  cancel: boolean;
  /** Taking a payment back; noting one is the payment card's. */
  unpay: 'setPaymentStatus' | 'refund' | null;
}

/** Of the policy and the state machine; nothing of it for anybody but an admin. */
export function dispatchChoices(actor: Actor, view: PackageView): DispatchChoices {
  const facts = factsOf(view);
  const leads = (wanted: Wanted) => {
    const target = transition(actor, facts, wanted);
    return target.isAllowed && target.actions.length > 0;
  };
  const unpay = paymentActionOf(view.paymentMethod, 'unpaid');
  const isOpen = view.status === 'pending' || view.status === 'in-transit';
  // What was held went to the courier on delivery, and stays there.
  const isPaidOut = view.paymentMethod === 'app' && view.status === 'delivered';
  const isPaid = view.paymentStatus === 'paid' && !isPaidOut;
  const mayUnpay = isPaid && can(actor, unpay, facts).isAllowed;
  return {
    assign: isOpen && can(actor, 'assign', facts).isAllowed,
    toPending: leads({ status: 'pending' }),
    cancel: leads({ status: 'cancelled' }),
    // A sender pays, and notes cash, but takes nothing back.
    unpay: actor.role === 'Admin' && mayUnpay && unpay !== 'pay' ? unpay : null,
  };
}

export type Dispatched = { isDone: true } | { isDone: false; message: string };

function messageOf(error: unknown): string {
  const failure = failureOf(error);
  const complaint = Object.values(failure?.fields ?? {})[0];
  const { needsNetwork, failure: otherwise } = words;
  return complaint ?? sentenceOfFailure(failure, { needsNetwork, otherwise });
}

export function useDispatch(view: PackageView) {
  const { api, engine } = useSignedIn();
  const { lastFailure } = useSyncStatus();
  const [isAsking, setIsAsking] = useState(false);
  const [version, setVersion] = useState(0);
  // Done, but the pull that brings it is still on its way: what is shown is old.
  const isBehind = view.version < version && lastFailure === null;

  const patch = async (body: PatchPackageBody): Promise<Dispatched> => {
    setIsAsking(true);
    try {
      const after = await api.patchPackage(view.id, body, newId());
      if (after) setVersion(after.version);
      return { isDone: true };
    } catch (error) {
      return { isDone: false, message: messageOf(error) };
    } finally {
      setIsAsking(false);
      engine.request('pull');
    }
  };
  return { patch, isBusy: isAsking || isBehind };
}
