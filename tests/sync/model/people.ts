/** The users of the model, and their next actions for what they see. */

import { type Intent, operations } from '#domain/operation.ts';
import { type OperationName, operationNames } from '#domain/operation-names.ts';
import type { PackageView } from '#domain/overlay.ts';
import { type Actor, can, factsOf } from '#domain/policy.ts';
import { isProfileComplete, partyToWire, roleOf, type User } from '#domain/user.ts';
import { exampleIntent } from '#tests/builders/operations.ts';
import type { Chance } from './chance.ts';

export const people = {
  sender: '10000000-0000-4000-8000-000000000001',
  courier: '20000000-0000-4000-8000-000000000001',
  /** Has no phone number yet. */
  newCourier: '20000000-0000-4000-8000-000000000002',
  admin: '30000000-0000-4000-8000-000000000001',
} as const;

/** Users who sign in on phones. */
export const phoneUsers: readonly string[] = [people.sender, people.courier, people.newCourier];

export function aPerson(id: string, firstName: string, changes: Partial<User> = {}): User {
  return {
    id,
    firstName,
    lastName: 'Bello',
    email: `${firstName.toLowerCase()}@kaya.test`,
    phoneNumber: '+2348031234567',
    address: null,
    vehicle: null,
    isActive: true,
    roles: ['Employee'],
    balance: 0,
    version: 0,
    ...changes,
  };
}

export const everybody: readonly User[] = [
  aPerson(people.sender, 'Amina', { roles: ['Customer'] }),
  aPerson(people.courier, 'Sani'),
  aPerson(people.newCourier, 'Bala', { phoneNumber: null }),
  aPerson(people.admin, 'Hadiza', { roles: ['Admin'] }),
];

/** What a user sees. */
export interface Sight {
  self: User;
  packages: readonly PackageView[];
  /** The last step of a package that was not taken back, as its events tell. */
  lastStep(packageId: string): string | undefined;
}

/** Fresh ids and unique values, to tell results apart. */
export interface Fresh {
  packageId(): string;
  number(): number;
}

/** How often each is chosen; any other as often as a delivery. */
const weights: Record<string, number> = {
  createPackage: 14,
  acceptPackage: 22,
  deliverPackage: 14,
  rejectDelivery: 8,
  // At the end of a long chain of steps.
  startReturn: 40,
  finishReturn: 40,
  editPackage: 34,
  deletePackage: 6,
  editProfile: 8,
};
for (const name of operationNames) weights[name] ??= 14;
// Queued with the delivery that it proves, never by itself: tests/sync/proofs.test.ts.
weights.uploadProof = 0;

export function editOf(chance: Chance, fresh: Fresh, isLate: boolean) {
  const number = fresh.number();
  const late = [{ notes: `Notes ${number}` }, { recipientPhone: `+234805${1_000_000 + number}` }];
  if (isLate) return chance.pick(late);
  return chance.pick([
    ...late,
    { description: `Cloth ${number}` },
    { description: `Pots ${number}`, notes: `Careful ${number}` },
    { priceOffer: 1_000 + number },
    // Before the pickup: the server refuses it with the fields.
    { deliveryDate: `2020-01-01T08:00:00.${String(number % 1000).padStart(3, '0')}Z` },
    { deliveryDate: `2027-01-01T08:00:00.${String(number % 1000).padStart(3, '0')}Z` },
  ]);
}

function create(fresh: Fresh): Intent {
  const _id = fresh.packageId();
  const args = {
    _id,
    recipientName: 'Musa',
    recipientPhone: '+2348057654321',
    recipientEmail: null,
    description: `Cloth ${fresh.number()}`,
    notes: null,
    paymentMethod: 'cash' as const,
    pickupAddress: 'Kofar Mata',
    deliveryAddress: 'Zoo Road',
    priceOffer: 1500,
    pickupDate: '2026-11-22T08:00:00.000Z',
    deliveryDate: null,
  };
  return { name: 'createPackage', targetId: _id, args };
}

function profile(chance: Chance, fresh: Fresh, self: User): Intent {
  const number = fresh.number();
  const changes = chance.pick([
    { phoneNumber: `+234803${1_000_000 + number}` },
    { address: `${number} Zoo Road` },
    { firstName: `Name ${number}`, phoneNumber: `+234804${1_000_000 + number}` },
  ]);
  return { name: 'editProfile', targetId: self.id, args: { changes, baseVersion: self.version } };
}

/** A possible next action of this user; null: none. */
export function nextIntent(chance: Chance, fresh: Fresh, sight: Sight): Intent | null {
  const { self, packages } = sight;
  const actor: Actor = {
    id: self.id,
    role: roleOf(self.roles),
    isProfileComplete: isProfileComplete(self),
  };
  const name = chance.weighted(weights) as OperationName;
  if (name === 'createPackage') {
    if (packages.length > 25) return null;
    return actor.isProfileComplete ? create(fresh) : profile(chance, fresh, self);
  }
  if (name === 'editProfile') return profile(chance, fresh, self);
  const { action } = operations[name];
  const isSane = !chance.isTrue(0.06);
  const open = packages.filter(
    (view) => !isSane || (action && can(actor, action, factsOf(view)).isAllowed),
  );
  if (open.length === 0) return actor.isProfileComplete ? null : profile(chance, fresh, self);
  // Mostly of the same few, so that operations interact.
  const view = chance.pick(chance.isTrue(0.6) ? open.slice(-3) : open);
  const targetId = view.id;
  switch (name) {
    case 'acceptPackage':
      return {
        name,
        targetId,
        args: { courier: partyToWire(self), baseVersion: view.version },
      };
    case 'editPackage': {
      const changes = editOf(chance, fresh, view.status !== 'pending');
      // Possibly typed for a while on a row that has changed since.
      const args = chance.isTrue(0.9) ? { changes, baseVersion: view.version } : { changes };
      return { name, targetId, args };
    }
    case 'correctStep': {
      const corrects = sight.lastStep(targetId);
      return corrects === undefined ? null : { name, targetId, args: { corrects } };
    }
    default:
      return exampleIntent(name, targetId);
  }
}
