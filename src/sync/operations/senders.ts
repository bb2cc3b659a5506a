/** Every operation's sending, by name: the type makes a missing one a compile error. */
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

/** One try of one operation, under its own id as key. Rejects with ApiFailure. */
export function sendOperation(api: MutationApi, operation: Operation): Promise<Applied> {
  return send(api, operation.name, operation);
}
