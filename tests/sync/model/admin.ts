/** The admin, on a reliable connection: calls the server directly under the same rules. */
import { ApiFailure } from '#api/failure.ts';
import type { PackageRow } from '#tests/fakes/server-rows.ts';
import type { Mutation, StrictServer } from '#tests/fakes/strict-server.ts';
import type { Chance } from './chance.ts';
import { editOf, type Fresh, people, phoneUsers } from './people.ts';

export type AdminAct = 'create' | 'edit' | 'move' | 'delete' | 'user' | 'roles';

interface Call {
  kind: AdminAct;
  chance: Chance;
  fresh: Fresh;
  key: string;
}

function moveOf(chance: Chance, { body }: PackageRow) {
  const courier = chance.pick([people.courier, people.newCourier]);
  if (body.status === 'pending') {
    return chance.pick([
      { deliveryPersonId: courier },
      { deliveryPersonId: courier },
      { deliveryStatus: 'Cancelled' },
    ]);
  }
  return chance.pick([
    { deliveryPersonId: null, deliveryStatus: 'Pending' },
    { deliveryPersonId: courier },
    { deliveryStatus: 'Delivered' },
    { deliveryStatus: 'Cancelled' },
    { deliveryPersonId: null, deliveryStatus: 'Pending' },
  ]);
}

function createOf({ chance, fresh }: Call) {
  return {
    _id: fresh.packageId(),
    senderId: chance.pick([people.sender, people.courier]),
    recipientName: 'Musa',
    recipientPhone: '+2348057654321',
    recipientEmail: null,
    description: `Rice ${fresh.number()}`,
    notes: null,
    paymentMethod: 'cash' as const,
    pickupAddress: 'Kofar Mata',
    deliveryAddress: 'Zoo Road',
    priceOffer: 2500,
    pickupDate: '2026-11-22T08:00:00.000Z',
    deliveryDate: null,
    // In one of the areas of plan.ts, in the other, in neither.
    pickupLocation: [null, { lat: 12, lng: 8.5 }, { lat: 12.4, lng: 8.5 }, { lat: 9, lng: 7.4 }][
      fresh.number() % 4
    ],
  };
}

function requestOf(call: Call, row: PackageRow | null): Mutation | null {
  const { kind, chance, fresh, key } = call;
  if (kind === 'create') return { name: 'createPackage', body: createOf(call), key };
  if (kind === 'user') {
    const id = chance.pick(phoneUsers);
    const changes = chance.pick([
      { lastName: `Bello ${fresh.number()}` },
      { address: `${fresh.number()} Kofar Mata` },
      { vehicle: `Bike ${fresh.number()}` },
    ]);
    return { name: 'patchUser', body: { id, ...changes }, key };
  }
  if (kind === 'roles') {
    const id = chance.pick([people.courier, people.newCourier]);
    const roles = chance.pick([
      ['Employee' as const],
      ['Employee' as const],
      ['Customer' as const],
    ]);
    return { name: 'patchUser', body: { id, roles }, key };
  }
  if (!row) return null;
  const { id } = row.body;
  if (kind === 'delete') return { name: 'deletePackage', id, key };
  const body = kind === 'edit' ? editOf(chance, fresh, false) : moveOf(chance, row);
  return { name: 'patchPackage', id, body, key };
}

/** One act; refusals are ignored. */
export function actAsAdmin(server: StrictServer, call: Call): void {
  const { chance } = call;
  const present = [...server.rows.packages.values()].filter(({ isDeleted }) => !isDeleted);
  const row = present.length === 0 ? null : chance.pick(present.slice(-12));
  const request = requestOf(call, row);
  if (!request) return;
  try {
    server.begin(people.admin, request)();
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
  }
}
