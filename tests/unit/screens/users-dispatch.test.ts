import { describe, expect, it } from 'vitest';
import type { PackageView, UserView } from '#domain/overlay.ts';
import type { Actor } from '#domain/policy.ts';
import { courierChoices, matchingCouriers } from '#package-ui/courier-choices.ts';
import { dispatchChoices } from '#package-ui/use-dispatch.ts';
import { aUser, party } from '#tests/builders/package.ts';
import { packageView } from './package-view.ts';

const courier = (id: string, changes: Partial<UserView> = {}): UserView => ({
  ...aUser(party(id, id), changes),
  mark: 'none',
});

describe('couriers in the picker', () => {
  const pkg = packageView({ sender: party('sender'), courier: party('has-it') });
  const carried = (id: string, status: PackageView['status'] = 'in-transit') =>
    packageView({ courier: party(id), status });

  it('are active with a complete profile, and neither the sender nor the current courier', () => {
    const users = [
      courier('fit'),
      courier('sender'),
      courier('has-it'),
      courier('gone', { isActive: false }),
      courier('unreachable', { phoneNumber: ' ' }),
      courier('customer', { roles: ['Customer'] }),
      courier('admin', { roles: ['Employee', 'Admin'] }),
    ];
    expect(courierChoices(users, [], pkg).map(({ id }) => id)).toEqual(['fit']);
  });

  it('are sorted by packages carried, then by name', () => {
    const views = [carried('a'), carried('a'), carried('b'), carried('c', 'delivered')];
    const users = ['a', 'b', 'd', 'c'].map((id) => courier(id));
    expect(courierChoices(users, views, pkg).map(({ id, carries }) => [id, carries])).toEqual([
      ['c', 0],
      ['d', 0],
      ['b', 1],
      ['a', 2],
    ]);
  });

  it('are found by name, phone and vehicle', () => {
    const choices = courierChoices([courier('Tanko', { vehicle: 'Bajaj KMC-12' })], [], pkg);
    for (const text of ['tan bel', '0803 123', 'kmc-12', '']) {
      expect(matchingCouriers(choices, text)).toHaveLength(1);
    }
    expect(matchingCouriers(choices, 'tanko bicycle')).toHaveLength(0);
  });
});

describe('actions of the Dispatch card', () => {
  const admin: Actor = { id: 'admin', role: 'Admin', isProfileComplete: true };
  const none = { assign: false, toPending: false, cancel: false, unpay: null };

  it.each([
    ['pending', null, { assign: true, cancel: true }],
    ['in-transit', party('c'), { assign: true, toPending: true, cancel: true }],
    ['delivered', party('c'), { toPending: true, cancel: true }],
    ['cancelled', null, { toPending: true }],
  ] as const)('for %s', (status, carrier, offered) => {
    const view = packageView({ status, courier: carrier, paymentStatus: 'unpaid' });
    expect(dispatchChoices(admin, view)).toEqual({ ...none, ...offered });
  });

  it('include a refund by the method of payment', () => {
    const paid = (changes: Partial<PackageView>) =>
      dispatchChoices(admin, packageView({ paymentStatus: 'paid', ...changes })).unpay;
    expect(paid({ paymentMethod: 'cash' })).toBe('setPaymentStatus');
    expect(paid({ paymentMethod: 'app' })).toBe('refund');
    expect(paid({ paymentMethod: 'app', status: 'cancelled' })).toBeNull();
    // The courier's by then.
    expect(paid({ paymentMethod: 'app', status: 'delivered' })).toBeNull();
  });
});
