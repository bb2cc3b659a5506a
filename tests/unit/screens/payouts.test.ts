/** What cashing out offers, refuses and says; what a phone keeps of it. */
import { describe, expect, it } from 'vitest';
import type { Payout, Payouts } from '#contract/payout.ts';
import { payoutTariff, tariffToWire } from '#domain/payout.ts';
import { heardFromText } from '#features/payments/payment-pages.ts';
import {
  amountText,
  arrivalText,
  cashOutStep,
  checkPayout,
  isSameAccount,
  onItsWayKobo,
  purseOf,
  quickAmounts,
  searchBanks,
  stateText,
  waitBefore,
} from '#features/payments/payout-rules.ts';

/** 09:41 in Lagos. */
const nowMs = Date.parse('2026-11-20T08:41:00.000Z');

const account = {
  bankCode: '058',
  bankName: 'Guaranty Trust Bank',
  accountName: 'SANI ABUBAKAR',
  accountNumberEnd: '6789',
  usableFrom: '2026-11-19T08:00:00.000Z',
};

const payoutsOf = (available: number, changes: Partial<Payouts> = {}): Payouts => ({
  account,
  available,
  minimum: 100,
  waitHours: 24,
  fees: tariffToWire(payoutTariff),
  payouts: [],
  ...changes,
});

const payout: Payout = {
  _id: 'f47ac10b-58cc-4372-a567-0e02b2c3d479',
  amount: 5000,
  fee: 10,
  status: 'pending',
  bankName: account.bankName,
  accountName: account.accountName,
  accountNumberEnd: '6789',
  createdAt: '2026-11-20T08:00:00.000Z',
  expectedBy: '2026-11-20T10:00:00.000Z',
  endedAt: null,
  reason: null,
};

describe('an amount', () => {
  it.each([
    ['', 'Enter the amount in figures, for example 5000.'],
    ['ten', 'Enter the amount in figures, for example 5000.'],
    ['1.500', 'Did you mean ₦1,500? You typed 1.500.'],
    ['99.99', 'The smallest payout is ₦100.'],
    ['-500', 'The smallest payout is ₦100.'],
    // ₦10,000 less the fee of ₦25.
    ['9975.01', 'With the fee you can cash out up to ₦9,975.'],
    ['1e3', 'Enter the amount in figures, for example 5000.'],
    ['99999999999999999999', 'With the fee you can cash out up to ₦9,975.'],
  ])('%j is refused: %s', (text, message) => {
    const checked = checkPayout(text, purseOf(payoutsOf(10_000)));
    expect(checked).toMatchObject({ isValid: false, fields: { amount: message } });
  });

  it.each([
    ['100', 10_000],
    ['₦9,975', 997_500],
    ['2.5k', 250_000],
    ['1500.5', 150_050],
  ])('%j is %i kobo', (text, kobo) => {
    expect(checkPayout(text, purseOf(payoutsOf(10_000)))).toEqual({ isValid: true, value: kobo });
  });

  it.each([
    [0, []],
    [900, []],
    [1050, [100_000]],
    [12_350, [200_000, 500_000, 1_000_000]],
    [3_000_000, [10_000_000, 50_000_000, 100_000_000]],
  ])('of ₦%i offers these beside all of it: %j', (available, quick) => {
    expect(quickAmounts(purseOf(payoutsOf(available)))).toEqual(quick);
  });

  it.each([
    [997_500, '9975'],
    [150_050, '1500.50'],
    [150_005, '1500.05'],
  ])('of %i kobo is typed as %s, and read again', (kobo, text) => {
    expect(amountText(kobo)).toBe(text);
    const checked = checkPayout(text, purseOf(payoutsOf(20_000)));
    expect(checked).toEqual({ isValid: true, value: kobo });
  });
});

describe('the action at the thumb', () => {
  const here = { isOffline: false, nowMs };
  it.each([
    ['no network', payoutsOf(9000, { account: null }), { isOffline: true, nowMs }, 'offline'],
    ['no account', payoutsOf(9000, { account: null }), here, 'add'],
    ['a balance', payoutsOf(9000), here, 'ready'],
    ['the smallest payout and its fee', payoutsOf(110), here, 'ready'],
    ['less than that', payoutsOf(109.99), here, 'tooLittle'],
  ])('with %s: %#', (_, payouts, around, kind) => {
    expect(cashOutStep(payouts, around).kind).toBe(kind);
  });

  it.each([
    ['2026-11-21T08:41:00.000Z', { kind: 'waits', when: 'tomorrow 09:41' }],
    ['2026-11-20T08:41:00.001Z', { kind: 'waits', when: 'today 09:41' }],
    ['2026-11-20T08:41:00.000Z', { kind: 'ready' }],
  ])('an account usable from %s', (usableFrom, step) => {
    const payouts = payoutsOf(9000, { account: { ...account, usableFrom } });
    expect(cashOutStep(payouts, here)).toEqual(step);
  });
});

it.each([
  [24, 'tomorrow 09:41'],
  [1, 'today 10:41'],
  [0, null],
])('a new account that waits %i hours says so before it is saved: %s', (waitHours, when) => {
  expect(waitBefore({ waitHours }, nowMs)).toBe(when);
});

it.each([
  ['058', '0123456789', true],
  ['058', '0123456780', false],
  ['044', '0123456789', false],
  ['058', '', false],
])('bank %s and number %j: the account of before? %s', (bankCode, number, isSame) => {
  expect(isSameAccount(account, bankCode, number)).toBe(isSame);
  expect(isSameAccount(null, bankCode, number)).toBe(false);
});

it.each([
  ['2026-11-20T13:00:00.000Z', 'By 14:00 today'],
  ['2026-11-21T00:15:00.000Z', 'By 01:15 tomorrow'],
  ['2026-11-24T08:00:00.000Z', 'By 24 Nov, 09:00'],
])('what arrives at %s: %s', (iso, text) => {
  expect(arrivalText(iso, nowMs)).toBe(text);
});

it.each([
  [{}, 'By 11:00 today'],
  [{ expectedBy: '2026-11-20T08:41:00.000Z' }, 'It takes longer than usual.'],
  [{ status: 'paid', expectedBy: null }, null],
  [{ status: 'returned', reason: 'failed' }, 'The bank did not take it. ₦5,010 is back'],
  [{ status: 'returned', reason: 'reversed' }, 'The bank sent it back. ₦5,010 is back'],
  [{ status: 'returned' }, '₦5,010 is back in your balance.'],
] as const)('a payout with %j says %s', (changes, text) => {
  const said = stateText({ ...payout, ...changes }, nowMs);
  if (text === null) expect(said).toBeNull();
  else expect(said).toContain(text);
});

it('only pending payouts are on their way, with their fees', () => {
  const ended = { ...payout, status: 'paid' } as const;
  expect(onItsWayKobo([payout, ended, { ...payout, status: 'returned' }, payout])).toBe(1_002_000);
});

describe('a bank is found', () => {
  const names = [
    'Access Bank',
    'First Bank of Nigeria',
    'First City Monument Bank',
    'Guaranty Trust Bank',
    'Kuda Microfinance Bank',
    'OPay Digital Services (OPay)',
    'United Bank For Africa',
  ];
  const banks = names.map((name, at) => ({ code: `00${at}`, name }));
  it.each([
    ['', names],
    ['  ', names],
    ['kuda', ['Kuda Microfinance Bank']],
    ['FIRST', ['First Bank of Nigeria', 'First City Monument Bank']],
    ['trust guar', ['Guaranty Trust Bank']],
    ['uba', ['United Bank For Africa']],
    ['GTBank', ['Guaranty Trust Bank']],
    ['gtb', ['Guaranty Trust Bank']],
    ['f.c.m.b', ['First City Monument Bank']],
    ['o-pay', ['OPay Digital Services (OPay)']],
    // The one that begins with it, then those that contain it.
    ['access', ['Access Bank']],
    ['(', names],
    ['zzz', []],
  ])('by %j', (query, found) => {
    expect(searchBanks(banks, query).map(({ name }) => name)).toEqual(found);
  });
});

describe('what a phone keeps', () => {
  const heard = {
    userId: 'user-1',
    payments: { available: 1, held: 0, earned: 1, onItsWay: 0, entries: [], next: null },
    payouts: payoutsOf(1),
    at: '2026-11-20T08:41:00.000Z',
  };
  it('is read as it was', () => {
    expect(heardFromText(JSON.stringify(heard))).toEqual(heard);
  });

  it.each([
    null,
    '',
    'null',
    '{',
    JSON.stringify({ ...heard, at: 'yesterday' }),
    JSON.stringify({ ...heard, payments: { available: '1' } }),
    JSON.stringify({ ...heard, payouts: {} }),
  ])('and %j is nothing', (text) => {
    expect(heardFromText(text)).toBeNull();
  });
});
