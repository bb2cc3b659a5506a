/** Plausible test values; each builder takes overrides for the fields under test. */
import type { WirePackage } from '#contract/package.ts';
import type { Operation } from '#domain/operation.ts';
import { type Package, packageToWire } from '#domain/package.ts';
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
    phoneNumber: '0803 123 4567',
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

export function aPackage(changes: Partial<Package> = {}): Package {
  return {
    id: ids.package,
    packageId: 'KY-000001',
    version: 1,
    sender: party(ids.sender),
    courier: null,
    recipientName: 'Musa Ibrahim',
    recipientPhone: '0805 765 4321',
    recipientEmail: 'musa@kaya.test',
    description: 'Two bolts of indigo cloth',
    notes: null,
    pickupAddress: '12 Kofar Mata Road, Kano',
    deliveryAddress: '4 Zoo Road, Kano',
    pickupLocation: null,
    deliveryLocation: null,
    pickupDate: '2026-11-22T08:00:00.000Z',
    deliveryDate: null,
    priceOfferKobo: 150_000,
    paymentMethod: 'cash',
    status: 'pending',
    paymentStatus: 'unpaid',
    createdAt: '2026-11-21T09:00:00.000Z',
    updatedAt: '2026-11-21T09:00:00.000Z',
    ...changes,
  };
}

export function facts(changes: Partial<PackageFacts> = {}): PackageFacts {
  return {
    senderId: ids.sender,
    courierId: null,
    status: 'pending',
    paymentMethod: 'cash',
    ...changes,
  };
}

export function actor(role: Actor['role'], id: string, isProfileComplete = true): Actor {
  return { id, role, isProfileComplete };
}

export function wirePackage(changes: Partial<WirePackage> = {}): WirePackage {
  return { ...packageToWire(aPackage({ recipientEmail: null })), ...changes };
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
