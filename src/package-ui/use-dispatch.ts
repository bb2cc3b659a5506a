/** Never queued (docs/decisions/0017): assignments and refunds need the server's answer. */
import { useState } from 'react';
import type { PatchPackageBody } from '#contract/package.ts';
import { useSyncStatus } from '#data/use-connection.ts';
import { useServerCall } from '#data/use-server-call.ts';
import { type Failure, sentenceOfFailure } from '#domain/outcome.ts';
import type { PackageView } from '#domain/overlay.ts';
import { transition, type Wanted } from '#domain/patch.ts';
import { type Actor, can, factsOf, paymentActionOf } from '#domain/policy.ts';
import { dispatch as words } from '#messages/en/dispatch.ts';

export interface DispatchChoices {
  assign: boolean;
  toPending: boolean;
  cancel: boolean;
  /** Reverts a payment; recording one is on the payment card. */
  unpay: 'setPaymentStatus' | 'refund' | null;
}

/** From the policy and the state machine; empty for all but admins. */
export function dispatchChoices(actor: Actor, view: PackageView): DispatchChoices {
  const facts = factsOf(view);
  const leads = (wanted: Wanted) => {
    const target = transition(actor, facts, wanted);
    return target.isAllowed && target.actions.length > 0;
  };
  const unpay = paymentActionOf(view.paymentMethod, 'unpaid');
  const isOpen = view.status === 'pending' || view.status === 'in-transit';
  // The held amount was paid to the courier on delivery and is not taken back.
  const isPaidOut = view.paymentMethod === 'app' && view.status === 'delivered';
  const isPaid = view.paymentStatus === 'paid' && !isPaidOut;
  const mayUnpay = isPaid && can(actor, unpay, facts).isAllowed;
  return {
    assign: isOpen && can(actor, 'assign', facts).isAllowed,
    toPending: leads({ status: 'pending' }),
    cancel: leads({ status: 'cancelled' }),
    // A sender pays and records cash but never reverts a payment.
    unpay: actor.role === 'Admin' && mayUnpay && unpay !== 'pay' ? unpay : null,
  };
}

export type Dispatched = { isDone: true } | { isDone: false; message: string };

function messageOf(failure: Failure | null): string {
  const complaint = Object.values(failure?.fields ?? {})[0];
  const { needsNetwork, failure: otherwise } = words;
  return complaint ?? sentenceOfFailure(failure, { needsNetwork, otherwise });
}

export function useDispatch(view: PackageView) {
  const { call, isBusy } = useServerCall();
  const { lastFailure } = useSyncStatus();
  const [version, setVersion] = useState(0);
  // The change succeeded, but its pull is not here yet: the shown package is stale.
  const isBehind = view.version < version && lastFailure === null;

  const patch = async (body: PatchPackageBody): Promise<Dispatched> => {
    const called = await call(view.id, body, (api, key) => api.patchPackage(view.id, body, key));
    if (called.kind === 'failed') return { isDone: false, message: messageOf(called.failure) };
    if (called.answer) setVersion(called.answer.version);
    return { isDone: true };
  };
  return { patch, isBusy: isBusy || isBehind };
}

export type Dispatching = ReturnType<typeof useDispatch>;
