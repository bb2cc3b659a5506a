/**
 * What a PATCH that names a courier or a status asks for, in the words of the policy.
 * SPEC.md section 4: accept sets both, reject clears the courier, delivered sets the status alone.
 */
import type { Actor, PackageAction, PackageFacts, Refusal } from './policy.ts';
import { can } from './policy.ts';
import type { DeliveryStatus } from './status.ts';

/** `courierId` undefined: the patch says nothing of it. */
export interface Wanted {
  courierId?: string | null | undefined;
  status?: DeliveryStatus | undefined;
}

export type Transition =
  | { isAllowed: true; actions: PackageAction[]; courierId: string | null; status: DeliveryStatus }
  | { isAllowed: false; code: Refusal };

function targetOf(facts: PackageFacts, wanted: Wanted) {
  if (wanted.status === undefined) {
    // A courier alone: naming one puts the package on its way, taking one off puts it back.
    if (wanted.courierId === undefined) return { courierId: facts.courierId, status: facts.status };
    const status: DeliveryStatus = wanted.courierId === null ? 'pending' : 'in-transit';
    return { courierId: wanted.courierId, status };
  }
  const asked = wanted.courierId === undefined ? facts.courierId : wanted.courierId;
  return { courierId: wanted.status === 'pending' ? null : asked, status: wanted.status };
}

function actionsFor(actor: Actor, facts: PackageFacts, target: ReturnType<typeof targetOf>) {
  const actions: PackageAction[] = [];
  const isFinal = facts.status === 'delivered' || facts.status === 'cancelled';
  const isCourierNew = target.courierId !== null && target.courierId !== facts.courierId;
  if (isFinal && target.status !== facts.status && target.status !== 'cancelled') {
    actions.push('reopen');
  }
  if (isCourierNew) {
    const isAccept = actor.role === 'Employee' && target.courierId === actor.id;
    actions.push(isAccept ? 'accept' : 'assign');
  }
  if (target.status === facts.status) return actions;
  if (target.status === 'pending' && !isFinal) actions.push('reject');
  // An admin may settle in one step what a courier must first take: accepting is not delivering.
  const isAssigned = isCourierNew && actor.role === 'Admin';
  if (target.status === 'delivered' && !(isAssigned || isFinal)) actions.push('deliver');
  if (target.status === 'cancelled') actions.push('cancel');
  return actions;
}

/**
 * The actions a patch amounts to and where the package ends, or why not. No action: nothing of
 * courier or status changes.
 */
export function transition(actor: Actor, facts: PackageFacts, wanted: Wanted): Transition {
  const target = targetOf(facts, wanted);
  const actions = actionsFor(actor, facts, target);
  for (const action of actions) {
    const decision = can(actor, action, facts);
    if (!decision.isAllowed) return decision;
  }
  const refuse = (code: Refusal): Transition => ({
    isAllowed: false,
    code: can(actor, 'view', facts).isAllowed ? code : 'not_found',
  });
  // 'I take it, and it stays on offer': whichever was meant, the other half would be untrue.
  const isNamed = wanted.courierId !== undefined && wanted.courierId !== null;
  if (isNamed && wanted.courierId !== facts.courierId && target.courierId === null) {
    return refuse('invalid_state');
  }
  const needsCourier = target.status === 'in-transit' || target.status === 'delivered';
  if (needsCourier && target.courierId === null) return refuse('courier_required');
  const isChanged = target.status !== facts.status || target.courierId !== facts.courierId;
  if (actions.length === 0 && isChanged) return refuse('invalid_state');
  return { isAllowed: true, actions, ...target };
}
