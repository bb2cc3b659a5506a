import { describe, expect, it } from 'vitest';
import { formatDate, toLocalInput } from '#domain/dates.ts';
import { withChanges } from '#domain/package.ts';
import { fieldNames } from '#domain/package-fields.ts';
import { checkPackageEdit } from '#domain/package-form.ts';
import type { Actor } from '#domain/policy.ts';
import { changedOf } from '#features/account/screens/edit-user-screen.tsx';
import {
  canSetPayment,
  editableFields,
  editStatuses,
  formOf,
  statusRefusal,
  statusStep,
} from '#features/package-form/edit-rules.ts';
import { patchValues } from '#tests/builders/patch-values.ts';
import { packageView, person } from './package-view.ts';

const sender: Actor = { id: 'sender', role: 'Customer', isProfileComplete: true };
const courier: Actor = { id: 'courier', role: 'Employee', isProfileComplete: true };
const admin: Actor = { id: 'admin', role: 'Admin', isProfileComplete: true };
const pending = packageView();
const moving = packageView({ status: 'in-transit', courier: person('courier') });

describe('the edit form', () => {
  it("starts with the package's values, so that saving without changes sends nothing", () => {
    const form = formOf(packageView({ deliveryDate: '2027-01-16T22:30:00.000Z' }));
    expect(form).toMatchObject({
      pickupDate: '2027-01-15T09:00',
      deliveryDate: '2027-01-16T23:30',
      priceOffer: '1500',
    });
    expect(checkPackageEdit(form, form)).toEqual({ isValid: true, value: {} });
  });

  const values = patchValues([], 7);
  it.each(fieldNames)('shows %s as it is, and sends it as it was typed', (name) => {
    const before = packageView({ pickupDate: '2026-11-22T08:00:00.000Z', [name]: null });
    for (const value of values[name]) {
      const after = formOf(withChanges(before, { [name]: value }));
      const checked = checkPackageEdit({ ...after, [name]: undefined }, after);
      expect(checked).toEqual({ isValid: true, value: { [name]: value } });
    }
  });

  it('sends a date as the moment it displayed', () => {
    const form = formOf(pending);
    const edited = { ...form, pickupDate: '2027-01-15T10:15' };
    expect(checkPackageEdit(form, edited)).toEqual({
      isValid: true,
      value: { pickupDate: '2027-01-15T09:15:00.000Z' },
    });
    expect(toLocalInput('2027-01-15T09:15:00.000Z')).toBe('2027-01-15T10:15');
    expect(formatDate('2027-01-15T09:15:00.000Z', '-')).toContain('10:15');
    expect(formatDate(null, 'Not specified')).toBe('Not specified');
    expect(formatDate('nonsense', 'Not specified')).toBe('Not specified');
  });

  it('lets a sender change everything while pending, and only the allowed fields in transit', () => {
    expect([...editableFields(sender, pending)]).toEqual(fieldNames);
    expect([...editableFields(sender, moving)].sort()).toEqual([
      'deliveryDate',
      'notes',
      'pickupDate',
      'recipientPhone',
    ]);
    expect(editableFields(courier, moving).size).toBe(0);
  });

  it('disables statuses the state machine refuses, with a reason', () => {
    const refusals = (actor: Actor, view: typeof pending) =>
      editStatuses.map((status) => statusRefusal(actor, view, status));
    expect(refusals(sender, pending)).toEqual([null, 'courier_required', expect.any(String)]);
    expect(refusals(courier, moving)).toEqual([null, null, null]);
    expect(refusals(sender, moving)[0]).toBe('forbidden');
  });

  it.each([
    ['Employee', 'in-transit', 'pending', false, 'rejectDelivery'],
    ['Employee', 'in-transit', 'delivered', false, 'deliverPackage'],
    ['Customer', 'in-transit', 'delivered', false, 'deliverPackage'],
    // With the payment, which is never queued: both or neither.
    ['Employee', 'in-transit', 'delivered', true, 'patch'],
    ['Employee', 'in-transit', 'pending', true, 'patch'],
    // A correction, not a rejection by the courier.
    ['Admin', 'in-transit', 'pending', false, 'patch'],
    ['Admin', 'in-transit', 'delivered', false, 'patch'],
    ['Admin', 'delivered', 'pending', false, 'patch'],
    ['Admin', 'pending', 'pending', true, null],
  ] as const)('sends the status that %s changes from %s to %s, payment too: %s, as %s', (role, from, to, isPaymentChanged, step) => {
    expect(statusStep(from, to, { role, isPaymentChanged })).toBe(step);
  });

  it('lets an admin correct final packages', () => {
    expect(statusRefusal(admin, packageView({ ...moving, status: 'delivered' }), 'pending')).toBe(
      null,
    );
  });

  it('offers the payment status to the courier for cash and to nobody for an app package', () => {
    expect(canSetPayment(courier, moving)).toBe(true);
    expect(canSetPayment(courier, { ...moving, paymentMethod: 'app' })).toBe(false);
  });
});

it('the profile form sends only changed fields, validated', () => {
  const before = {
    firstName: 'Amina',
    lastName: 'Bello',
    email: 'amina@kaya.test',
    phoneNumber: '',
    address: '',
  };
  const form = { ...before, phoneNumber: ' 0803 123 4567 ' };
  const checked = { ...form, phoneNumber: '0803 123 4567', address: null };
  expect(changedOf(before, form, checked)).toEqual({ phoneNumber: '0803 123 4567' });
});
