/** One intent of every operation: a new one does not compile without. */
import type { Intent, OperationArgs } from '#domain/operation.ts';
import type { OperationName } from '#domain/operation-names.ts';
import { partyToWire } from '#domain/user.ts';
import { aPackage, ids, party } from './package.ts';

const { recipientName, description, pickupAddress, deliveryAddress, pickupDate } = aPackage();

/** Valid arguments of every operation, by the courier of `ids` where it names one. */
export const exampleArgs: { [N in OperationName]: OperationArgs<N> } = {
  createPackage: {
    _id: ids.package,
    recipientName,
    recipientPhone: '+2348057654321',
    recipientEmail: null,
    description,
    notes: null,
    pickupAddress,
    deliveryAddress,
    pickupDate,
    deliveryDate: null,
    priceOffer: 1500,
    paymentMethod: 'cash',
  },
  editPackage: { changes: { notes: 'Ring twice' } },
  acceptPackage: { courier: partyToWire(party(ids.courier, 'Sani')) },
  rejectDelivery: {},
  pickUp: {},
  arrive: {},
  failAttempt: { reason: 'recipient_unavailable', note: null },
  startReturn: {},
  finishReturn: {},
  deliverPackage: {},
  openDispute: { kind: 'damaged', text: 'The box was wet' },
  confirmDelivery: {},
  correctStep: { corrects: ids.operation },
  uploadProof: { proofId: ids.operation, kind: 'photo', digest: '' },
  deletePackage: {},
  editProfile: { changes: { firstName: 'Sule' } },
};

export function exampleIntent(name: OperationName, targetId: string = ids.package): Intent {
  return { name, targetId, args: exampleArgs[name] } as Intent;
}
