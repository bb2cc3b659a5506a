/** Every operation's sending, by name: the type makes a missing one a compile error. */
import { ApiFailure } from '#api/failure.ts';
import type { Operation, OperationName } from '#domain/operation.ts';
import { sendAcceptPackage } from './accept-package.ts';
import { sendCreatePackage } from './create-package.ts';
import { sendDeletePackage } from './delete-package.ts';
import { sendDeliverPackage } from './deliver-package.ts';
import { sendEditPackage } from './edit-package.ts';
import { sendEditProfile } from './edit-profile.ts';
import { sendRejectDelivery } from './reject-delivery.ts';
import type { Applied, MutationApi, OperationOf, Send } from './sender.ts';

const senders: { [N in OperationName]: Send<N> } = {
  createPackage: sendCreatePackage,
  editPackage: sendEditPackage,
  acceptPackage: sendAcceptPackage,
  rejectDelivery: sendRejectDelivery,
  deliverPackage: sendDeliverPackage,
  deletePackage: sendDeletePackage,
  editProfile: sendEditProfile,
};

function send<N extends OperationName>(
  api: MutationApi,
  name: N,
  operation: OperationOf<N>,
): Promise<Applied> {
  return senders[name](api, operation);
}

/**
 * One try of one operation, under its own id as key. Rejects with ApiFailure, also where the answer
 * is about something else: a proxy that mixes up two answers must not take an operation for done.
 */
export async function sendOperation(api: MutationApi, operation: Operation): Promise<Applied> {
  const applied = await send(api, operation.name, operation);
  const isPackage = applied.kind === 'packageGone' || 'sender' in applied.row;
  const id = applied.kind === 'row' ? applied.row.id : applied.id;
  if (id === operation.targetId && isPackage === (operation.name !== 'editProfile')) return applied;
  const message = 'The answer was about something else.';
  throw new ApiFailure({ kind: 'malformed', status: 200, code: '', message });
}
