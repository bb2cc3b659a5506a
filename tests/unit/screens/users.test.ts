import { describe, expect, it } from 'vitest';
import {
  checkAdjustment,
  checkNewUser,
  checkUserEdit,
  contestedFields,
  type NewUserForm,
  userFormOf,
  withoutTheirs,
} from '#domain/administration.ts';
import type { Failure } from '#domain/outcome.ts';
import type { UserView } from '#domain/overlay.ts';
import { shownBalance } from '#features/users/components/balance-card.tsx';
import { entriesOf, failureText, found } from '#features/users/user-rules.ts';
import { everybody } from '#state/users.ts';
import { aUser, party } from '#tests/builders/package.ts';

const user = (changes: Partial<UserView>): UserView => ({
  ...aUser(party('u1'), { roles: ['Customer'], version: 3 }),
  mark: 'none',
  ...changes,
});

describe('finding users', () => {
  const people = entriesOf([
    user({ id: 'c', firstName: 'Ƙasim', lastName: 'Ɗanladi', email: 'kasim@kaya.test' }),
    user({ id: 'b', firstName: 'amina', phoneNumber: '+234 803 765 4321', roles: ['Employee'] }),
    user({ id: 'a', firstName: 'Amina', email: null, phoneNumber: null, roles: [] }),
    user({
      id: 'd',
      firstName: 'Zainab',
      email: 'zainab@kaya.test',
      isActive: false,
      roles: ['Employee', 'Admin'],
    }),
  ]);
  const ids = (filter: Partial<typeof everybody>) =>
    found(people, { ...everybody, ...filter }).map((entry) => entry.user.id);

  it('sorts by name ignoring case, in a stable order', () => {
    expect(ids({})).toEqual(['a', 'b', 'c', 'd']);
  });

  it.each([
    ['kasim danladi', ['c']],
    ['BELLO ami', ['a', 'b']],
    ['kaya.test', ['b', 'c', 'd']],
    ['08037654321', ['b']],
    // How phones are found: search.test.ts.
    ['0803-765', ['b']],
    ['65', []],
    ['zainab 0803', ['d']],
    ['   ', ['a', 'b', 'c', 'd']],
    ['<b>', []],
  ])('finds by %s', (text, expected) => {
    expect(ids({ text })).toEqual(expected);
  });

  it('filters by effective role and by state; an unknown role matches none', () => {
    expect(ids({ role: 'Employee' })).toEqual(['b']);
    expect(ids({ role: 'Admin' })).toEqual(['d']);
    expect(ids({ role: 'Customer' })).toEqual(['c']);
    expect(ids({ state: 'deactivated' })).toEqual(['d']);
    expect(ids({ state: 'active', text: 'zainab' })).toEqual([]);
  });
});

describe('an edit of a user', () => {
  const before = userFormOf(user({ vehicle: 'Bicycle' }));

  it('sends only differences, emptied fields as null', () => {
    const form = { ...before, firstName: ' Aminatu ', vehicle: '', email: `${before.email} ` };
    expect(checkUserEdit(before, form)).toEqual({
      isValid: true,
      value: { firstName: 'Aminatu', vehicle: null },
    });
  });

  it('requires names, e-mail and phone only where changed', () => {
    const checked = checkUserEdit(before, { ...before, lastName: ' ' });
    expect(checked).toMatchObject({ fields: { lastName: 'This field is required.' } });
    const odd = { ...before, phoneNumber: 'by the mosque' };
    expect(checkUserEdit(odd, { ...odd, address: '4 Zoo Road' })).toEqual({
      isValid: true,
      value: { address: '4 Zoo Road' },
    });
  });

  it('in a conflict asks about fields both changed, and sends those resolved as mine', () => {
    const changes = { firstName: 'Mine', address: 'My road', vehicle: 'My bicycle' };
    const current = user({ firstName: 'Theirs', address: 'Their road' });
    const named = { firstName: 'changed', address: 'changed' };
    const contested = contestedFields(changes, named, current);
    expect(contested).toEqual([
      { field: 'firstName', mine: 'Mine', theirs: 'Theirs' },
      { field: 'address', mine: 'My road', theirs: 'Their road' },
    ]);
    expect(withoutTheirs(changes, contested, new Set(['address']))).toEqual({
      address: 'My road',
      vehicle: 'My bicycle',
    });
    expect(withoutTheirs(changes, contested, new Set())).toEqual({ vehicle: 'My bicycle' });
  });

  it('in a conflict without named fields asks about all differences', () => {
    const changes = { firstName: 'Mine', address: null };
    expect(contestedFields(changes, undefined, user({ firstName: 'Theirs' }))).toEqual([
      { field: 'firstName', mine: 'Mine', theirs: 'Theirs' },
    ]);
  });
});

describe('a new account', () => {
  const form: NewUserForm = {
    role: 'Employee',
    firstName: 'Sani',
    lastName: 'Garba',
    email: 'Sani@Kaya.test',
    phoneNumber: '0803 123 4567',
    address: '',
    vehicle: '',
    password: 'secret',
  };

  it('has one role, a lower-case e-mail, and no empty fields', () => {
    expect(checkNewUser(form)).toMatchObject({
      isValid: true,
      value: { roles: ['Employee'], email: 'sani@kaya.test', address: null, vehicle: null },
    });
  });

  it("reports all errors together at the form's fields", () => {
    expect(checkNewUser({ ...form, role: 'Boss' })).toMatchObject({
      fields: { role: 'Must be Customer, Employee or Admin.' },
    });
    expect(checkNewUser({ ...form, role: '', email: 'x', password: '12345' })).toMatchObject({
      message: 'Required fields are missing.',
      fields: {
        role: 'This field is required.',
        email: 'Please enter a valid email address.',
        password: 'Password must be at least 6 characters',
      },
    });
  });
});

describe('an adjustment of a balance', () => {
  it.each([
    ['2,500.50', 2500.5],
    ['₦-500', -500],
    ['- 1 000', -1000],
    ['٥٠٠', 500],
  ])('%s is %d naira', (amount, naira) => {
    expect(checkAdjustment({ amount, reason: ' Office ' })).toEqual({
      isValid: true,
      value: { amount: naira, reason: 'Office' },
    });
  });

  it.each(['0', '0.004', '--5', '10000001', '1.005'])('%s is invalid', (amount) => {
    const checked = checkAdjustment({ amount, reason: 'Office' });
    expect(checked).toMatchObject({ isValid: false, fields: { amount: expect.any(String) } });
  });

  it('has a reason, on one line', () => {
    const folded = checkAdjustment({ amount: '5', reason: 'two\nlines' });
    expect(folded).toMatchObject({ value: { reason: 'two lines' } });
    for (const reason of ['', '   ', 'x'.repeat(10_000)]) {
      const checked = checkAdjustment({ amount: '5', reason });
      expect(checked).toMatchObject({ isValid: false, fields: { reason: expect.any(String) } });
    }
  });
});

it("the balance on a user's card is the adjustment's answer until a pull brings the same or a newer one", () => {
  const adjusted = { before: 100, after: 350 };
  expect(shownBalance(100, null)).toBe(100);
  expect(shownBalance(100, adjusted)).toBe(350);
  expect(shownBalance(350, adjusted)).toBe(350);
  expect(shownBalance(900, adjusted)).toBe(900);
});

describe('a list that could not be read', () => {
  const failure = (kind: Failure['kind'], message = '') => ({ kind, status: 0, code: '', message });
  it.each<[string, Failure, string]>([
    ["the server's words", failure('http', 'Ask your manager.'), 'Ask your manager.'],
    ['that something went wrong, where it says nothing', failure('http'), 'An error occurred'],
    ['the same of what is no list', failure('malformed', 'Not ours'), 'An error occurred'],
    ['the same without an answer', failure('network'), 'An error occurred'],
  ])('says %s', (_, given, text) => {
    expect(failureText(given)).toBe(text);
  });
});
