/** Plausible test values; each builder takes overrides for the fields under test. */
import type { WirePackage } from '#contract/package.ts';
import type { Operation } from '#domain/operation.ts';
import { newPackage, type Package, packageToWire, storedPackage } from '#domain/package.ts';
import type { Actor, PackageFacts } from '#domain/policy.ts';
import type { Party, User } from '#domain/user.ts';

export const ids = {
  sender: '10000000-0000-4000-8000-000000000001',
  otherSender: '10000000-0000-4000-8000-000000000002',
  courier: '20000000-0000-4000-8000-000000000001',
  otherCourier: '20000000-0000-4000-8000-000000000002',
  admin: '30000000-0000-4000-8000-000000000001',
  package: '40000000-0000-4000-8000-000000000001',
  operation: '50000000-0000-4000-8000-000000000001',
} as const;

export function party(id: string, firstName = 'Amina'): Party {
  return {
    id,
    firstName,
    lastName: 'Bello',
    email: `${firstName.toLowerCase()}@kaya.test`,
    phoneNumber: '+2348031234567',
  };
}

export function aUser(self: Party, changes: Partial<User> = {}): User {
  return {
    ...self,
    address: null,
    vehicle: null,
    isActive: true,
    roles: ['Employee'],
    balance: 0,
    version: 1,
    ...changes,
  };
}

/** On offer, as after its first request. */
export function aPackage(changes: Partial<Package> = {}): Package {
  const at = '2026-11-21T09:00:00.000Z';
  const {
    senderId,
    courierId: _,
    ...created
  } = newPackage(
    {
      recipientName: 'Musa Ibrahim',
      recipientPhone: '+2348057654321',
      recipientEmail: 'musa@kaya.test',
      description: 'Two bolts of indigo cloth',
      notes: null,
      pickupAddress: '12 Kofar Mata Road, Kano',
      deliveryAddress: '4 Zoo Road, Kano',
      pickupDate: '2026-11-22T08:00:00.000Z',
      deliveryDate: null,
      priceOffer: 1500,
      paymentMethod: 'cash',
    },
    { id: ids.package, senderId: ids.sender, at },
  );
  const numbered = { packageId: 'KY-000001', version: 1 };
  return { ...created, ...numbered, sender: party(senderId), courier: null, ...changes };
}

export function facts(changes: Partial<PackageFacts> = {}): PackageFacts {
  return { ...storedPackage(aPackage()), ...changes };
}

export function actor(role: Actor['role'], id: string, isProfileComplete = true): Actor {
  return { id, role, isProfileComplete };
}

export function wirePackage(changes: Partial<WirePackage> = {}): WirePackage {
  const wire = packageToWire(aPackage({ recipientEmail: null }));
  return { ...wire, paymentMethod: 'cash', ...changes };
}

/** The part common to all operations. */
export function operationBase(
  seq = 1,
): Pick<Operation, 'id' | 'seq' | 'schemaVersion' | 'state' | 'createdAt' | 'tries' | 'lastError'> {
  return {
    id: ids.operation.replace(/.{4}$/, String(seq).padStart(4, '0')),
    seq,
    schemaVersion: 1,
    state: 'waiting',
    createdAt: '2026-11-21T10:00:00.000Z',
    tries: 0,
    lastError: null,
  };
}

/** A valid body of a create, as a form sends it. */
export const createBody = {
  pickupAddress: '12 Kofar Mata Road, Kano',
  deliveryAddress: '4 Zoo Road, Kano',
  recipientName: 'Musa Ibrahim',
  recipientPhone: '+2348057654321',
  recipientEmail: '',
  description: 'Two bolts of indigo cloth',
  notes: null,
  deliveryDate: '',
  pickupDate: '2026-11-22T09:00',
  priceOffer: 1500,
  paymentMethod: 'cash',
};
