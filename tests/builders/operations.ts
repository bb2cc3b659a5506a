/** One intent of every operation: a new one that needs arguments does not compile without. */
import type { Intent, OperationArgs, PlainName } from '#domain/operation.ts';
import type { OperationName } from '#domain/operation-names.ts';
import { partyToWire } from '#domain/user.ts';
import { aPackage, ids, party } from './package.ts';

const { recipientName, description, pickupAddress, deliveryAddress, pickupDate } = aPackage();

type NeedsArgs = Exclude<OperationName, PlainName>;

/** Valid arguments of every operation that needs some, by the courier of `ids` where it names one. */
const exampleArgs: { [N in NeedsArgs]: OperationArgs<N> } = {
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
  failAttempt: { reason: 'recipient_unavailable', note: null },
  openDispute: { kind: 'damaged', text: 'The box was wet' },
  correctStep: { corrects: ids.operation },
  uploadProof: { proofId: ids.operation, kind: 'photo', digest: '' },
  editProfile: { changes: { firstName: 'Sule' } },
};

export function exampleIntent(name: OperationName, targetId: string = ids.package): Intent {
  return { name, targetId, args: { ...exampleArgs[name as NeedsArgs] } } as Intent;
}
