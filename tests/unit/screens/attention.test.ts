import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '#contract/errors.ts';
import type { Operation, OperationError } from '#domain/operation.ts';
import { correctedProfileForm } from '#features/account/screens/edit-user-screen.tsx';
import { advisedFor } from '#features/outbox/advised.ts';
import { madeAt } from '#features/outbox/components/operation-card.tsx';
import { fieldValue } from '#features/outbox/field-messages.ts';
import { baseOf, reasonOf, refusals } from '#features/outbox/reasons.ts';
import { formOfBody } from '#features/package-form/edit-rules.ts';
import { stepOf } from '#features/package-form/hooks/use-draft.ts';
import { errorCatalogue } from '#server/http/error-catalogue.ts';
import { aUser, ids, operationBase, party, wirePackage } from '#tests/builders/package.ts';

function op(
  name: Operation['name'],
  state: Operation['state'],
  error: Partial<OperationError> | null,
  seq = 1,
): Operation {
  const lastError = error && { code: '', message: '', status: 0, at: '', ...error };
  const args = name === 'editPackage' || name === 'editProfile' ? { changes: {} } : {};
  return {
    ...operationBase(seq),
    name,
    targetId: ids.package,
    args,
    state,
    lastError,
  } as Operation;
}

const alone = { isEditable: true, isLeaning: false };

const refused = (code: string, message = '') => op('editPackage', 'attention', { code, message });

describe('the buttons of a refused change', () => {
  it.each(Object.keys(refusals))('%s: a retry only if its advice has one', (code) => {
    const { advice } = refusals[code as keyof typeof refusals];
    expect(advisedFor(refused(code), alone).isRetried).toBe(/\bretry\b/i.test(advice));
  });

  it.each([
    ['another', 'already_assigned'],
    ['discard', 'picked_up'],
    ['edit', 'paid_out'],
    ['topUp', 'insufficient_funds'],
    ['prove', 'wrong_code'],
    ['choose', 'conflict'],
    ['retry', 'a_code_of_tomorrow'],
  ])('lead with %s after %s', (main, code) => {
    expect(advisedFor(refused(code), alone).main).toBe(main);
  });

  it('offer no form that is not there, and nothing before what they depend on', () => {
    const bare = { isEditable: false, isLeaning: false };
    expect(advisedFor(refused('invalid_fields'), bare)).toEqual({
      main: 'discard',
      isRetried: false,
    });
    // Changed terms are accepted by sending it again.
    const accept = op('acceptPackage', 'attention', { code: 'conflict' });
    expect(advisedFor(accept, bare)).toEqual({ main: 'retry', isRetried: true });
    const leaning = { isEditable: true, isLeaning: true };
    expect(advisedFor(refused('depends_on_refused'), leaning)).toEqual({
      main: null,
      isRetried: false,
    });
  });
});

describe('the explanation of a refused change', () => {
  it.each(Object.keys(refusals))('%s: has a message and actions', (code) => {
    const reason = reasonOf(refused(code), null);
    expect(reason?.what).toMatch(/\w.*[.!]$/);
    expect(reason?.advice).toMatch(/\w.*\.$/);
    // Technical terms stay in the copyable details.
    expect(`${reason?.what} ${reason?.advice}`).not.toMatch(/\b(HTTP|JSON|409|422|null)\b/);
  });

  it.each([400, 402, 403, 404, 409, 413, 415, 422])('covers answers with %i', (status) => {
    const retried = ['in_progress'];
    const elsewhere = [
      ...['email_unknown', 'cross_site', 'last_admin', 'picture_missing'],
      // Refuses a dispatcher's decision, which is never queued.
      'money_spent',
      // Of a courier's payouts, neither.
      ...['no_bank_account', 'account_waiting', 'account_unknown'],
    ];
    const codes = (Object.keys(errorCatalogue) as ErrorCode[]).filter(
      (code) => errorCatalogue[code].status === status,
    );
    for (const code of codes) {
      if (retried.includes(code) || elsewhere.includes(code)) continue;
      expect(refusals, code).toHaveProperty(code);
    }
  });

  it("names the missing amount from the server's message", () => {
    const sentence = 'Your balance is ₦700 short. Top up and try again.';
    expect(reasonOf(refused('insufficient_funds', sentence), null)?.what).toBe(sentence);
  });

  it("falls back to the server's message for an unknown code", () => {
    expect(reasonOf(refused('later_code', 'The bridge is closed.'), null)?.what).toContain(
      'The bridge is closed.',
    );
  });

  it('names the change it depends on, which is decided first', () => {
    const create = op('createPackage', 'attention', { code: 'invalid_fields' }, 1);
    const edit = op('editPackage', 'attention', { code: 'depends_on_refused' }, 2);
    const other = { ...create, targetId: ids.operation, seq: 0 };
    expect(baseOf(edit, [other, create, edit])).toBe(create);
    expect(baseOf(edit, [other, edit])).toBeNull();
    expect(baseOf(create, [create, edit])).toBeNull();
    expect(reasonOf(edit, create)?.what).toBe('It depends on “Create package”, which was refused.');
    expect(reasonOf(edit, null)?.what).not.toContain('Create package');
  });
});

describe('the explanation of a waiting change', () => {
  it.each([
    [{ code: 'network' }, 'reach the server'],
    [{ code: 'timeout' }, 'in time'],
    [{ code: 'rate_limited', status: 429 }, 'server was busy'],
    [{ code: 'session_expired', status: 401 }, 'session had ended'],
    [{ code: 'unavailable', status: 503 }, 'had a problem'],
    [{ code: 'malformed', status: 200 }, 'Wi-Fi'],
    [{ code: 'in_progress', status: 409 }, 'still processing'],
  ])('%o', (error, part) => {
    expect(reasonOf(op('deliverPackage', 'waiting', error), null)?.what).toContain(part);
  });

  it('asks only for a sign-in after the session ends', () => {
    const adviceAfter = (error: Partial<OperationError>) =>
      reasonOf(op('deliverPackage', 'waiting', error), null)?.advice;
    expect(adviceAfter({ code: 'network' })).toBe('It will be sent automatically.');
    expect(adviceAfter({ code: 'session_expired', status: 401 })).toContain('Sign in again');
  });

  it('names a full phone, whatever is stored of an attempt before it was', () => {
    for (const error of [null, { code: 'network' }, { code: 'unavailable', status: 503 }]) {
      const waiting = op('deliverPackage', 'waiting', error);
      expect(reasonOf(waiting, null, { isStorageFull: true })?.what).toContain('out of storage');
    }
    const refused = op('deliverPackage', 'attention', { code: 'forbidden', status: 403 });
    expect(reasonOf(refused, null, { isStorageFull: true })).toEqual(reasonOf(refused, null));
  });

  it('is absent before the first attempt', () => {
    expect(reasonOf(op('deliverPackage', 'waiting', null), null)).toBeNull();
  });
});

it('mine and theirs are shown in display format', () => {
  expect(fieldValue('priceOffer', 1500)).toBe('₦1,500');
  expect(fieldValue('pickupDate', '2026-11-22T08:00:00.000Z')).toMatch(/^22 Nov 2026, 0?9:00/);
  expect(fieldValue('pickupLocation', { lat: 12.0022, lng: 8.5919 })).toBe('12.00220, 8.59190');
  expect(fieldValue('pickupLocation', null)).toBe('None');
  expect(fieldValue('paymentMethod', 'app')).toBe('Pay with App');
  expect(fieldValue('notes', null)).toBe('None');
  expect([true, false].map((value) => fieldValue('active', value))).toEqual(['Yes', 'No']);
  expect(fieldValue('description', '2026')).toBe('2026');
});

it('a change shows its time, or its date after the clock was set back', () => {
  const nowMs = Date.parse('2026-11-21T12:00:00.000Z');
  const made = (agoMs: number) =>
    madeAt({ createdAt: new Date(nowMs - agoMs).toISOString() }, nowMs);
  expect([0, 180_000, 5 * 3_600_000].map(made)).toEqual([
    'just now',
    '3 minutes ago',
    '5 hours ago',
  ]);
  expect(made(-60_000)).toBe('21 Nov 2026, 13:01');
});

describe('a refused change in its form', () => {
  it('is prefilled as typed', () => {
    const form = formOfBody(wirePackage({ priceOffer: 1500.5, notes: null }));
    expect(form).toMatchObject({ priceOffer: '1500.5', notes: '', pickupDate: '2026-11-22T09:00' });
  });

  it('opens at the step with the error', () => {
    expect(stepOf({ recipientPhone: 'No.' })).toBe(1);
    expect(stepOf({ priceOffer: 'No.', description: 'No.' })).toBe(2);
    expect(stepOf({})).toBe(0);
  });

  it("is merged over the server's profile", () => {
    const user = aUser(party(ids.sender), { address: 'Kano' });
    const { firstName, email } = user;
    // The phone number as the person types it.
    const phoneNumber = '0803 123 4567';
    const mine = { firstName, lastName: 'Musa', email, phoneNumber, address: '' };
    expect(correctedProfileForm(user, { lastName: 'Musa', address: null })).toEqual(mine);
  });
});
