/** What was agreed to is paid once when the money is there, and not for more than was agreed to. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiFailure } from '#api/failure.ts';
import { payWhenDue } from '#features/payments/pay-when-due.ts';
import { stepsBack } from '#features/payments/provider-page.ts';
import {
  readDue,
  readPendingPayment,
  rememberDue,
  rememberPendingPayment,
} from '#state/payment.ts';
import { localStorageOf } from '#tests/fakes/local-storage.ts';

const memory = new Map<string, string>();
const pending = { reference: 'r', paymentUrl: '', amount: 2500, packageId: 'p', payKobo: 250_000 };
const pkg = {
  paymentStatus: 'unpaid',
  paymentMethod: 'app',
  priceOfferKobo: 250_000,
  version: 7,
  status: 'pending',
};
const refusal = (status: number) => new ApiFailure({ kind: 'http', status, message: '' } as never);
const silence = new ApiFailure({ kind: 'network' } as never);

function stage(changes: Partial<typeof pkg> = {}) {
  const row = { ...pkg, ...changes };
  const api = {
    verifyPayment: vi.fn(async () => ({ depositedAmount: 2500 })),
    getPackage: vi.fn(async () => ({ ...row })),
    patchPackage: vi.fn(async (_: string, { baseVersion }: { baseVersion: number }) => {
      if (baseVersion !== row.version) throw refusal(409);
      row.paymentStatus = 'paid';
      row.version += 1;
    }),
  };
  const say = vi.fn();
  const ask = vi.fn();
  const needs = { api, engine: { request: vi.fn() }, say, ask } as never;
  return { api, say, ask, row, look: (isAtDeposit = false) => payWhenDue(needs, isAtDeposit) };
}

beforeEach(() => {
  memory.clear();
  Object.assign(globalThis, { localStorage: localStorageOf(memory) });
});

describe('a payment that was agreed to', () => {
  it('is made when the app is opened later, and never again', async () => {
    rememberPendingPayment(pending);
    const { api, say, look } = stage();
    await look();
    await look();
    expect(api.patchPackage).toHaveBeenCalledTimes(1);
    expect(say.mock.calls.flat()).toEqual([
      'Deposit of ₦2,500 successful!',
      '₦2,500 is held for this package.',
    ]);
    expect([readPendingPayment(null), readDue()]).toEqual([null, null]);
  });

  it.each([
    ['the money is not there', { depositedAmount: 0 }, false],
    ['the screen of the deposit looks after it', { depositedAmount: 2500 }, true],
  ])('waits while %s', async (_, verified, isAtDeposit) => {
    rememberPendingPayment(pending);
    const { api, look } = stage();
    api.verifyPayment.mockResolvedValue(verified);
    await look(isAtDeposit);
    expect(api.patchPackage).not.toHaveBeenCalled();
    expect(readPendingPayment(null)).toEqual(pending);
  });

  it('without one, a deposit pays nothing', async () => {
    rememberPendingPayment({ ...pending, payKobo: null });
    const { api, look } = stage();
    await look();
    expect(api.verifyPayment).not.toHaveBeenCalled();
  });

  it.each([
    ['the same', {}, 1, 0],
    ['less', { priceOfferKobo: 200_000 }, 1, 0],
    ['more', { priceOfferKobo: 250_100 }, 0, 1],
    ['cash', { paymentMethod: 'cash' }, 0, 1],
    ['paid already', { paymentStatus: 'paid' }, 0, 0],
  ])('of what is %s by now', async (_, changes, paid, asked) => {
    rememberDue(pending);
    const { api, ask, look } = stage(changes);
    await look();
    await look();
    expect(api.patchPackage).toHaveBeenCalledTimes(paid);
    expect(ask).toHaveBeenCalledTimes(asked);
    expect(readDue()).toBeNull();
  });

  it.each([
    ['refused', refusal(409), 1, true],
    ['unanswered', silence, 0, false],
    ['met by a fault of the server', refusal(503), 0, false],
  ])('%s is asked about, or kept', async (_, fault, asked, isOver) => {
    rememberDue(pending);
    const { api, ask, look } = stage();
    api.patchPackage.mockRejectedValueOnce(fault);
    await look();
    expect(ask).toHaveBeenCalledTimes(asked);
    expect(readDue() === null).toBe(isOver);
    await look();
    expect(api.patchPackage).toHaveBeenCalledTimes(isOver ? 1 : 2);
  });

  it('whose answer was lost is not made twice', async () => {
    rememberDue(pending);
    const { api, row, look } = stage();
    api.patchPackage.mockImplementationOnce(async () => {
      row.paymentStatus = 'paid';
      throw silence;
    });
    await look();
    await look();
    expect(api.patchPackage).toHaveBeenCalledTimes(1);
    expect(readDue()).toBeNull();
  });
});

describe('the way back from the provider’s page', () => {
  const left = JSON.stringify({ reference: 'r', length: 5 });
  it.each([
    ['over one page', left, 'r', 6, 2],
    ['over a page that was replaced', left, 'r', 5, 1],
    ['over three pages', left, 'r', 8, 4],
    ['of another payment', left, 'other', 6, 0],
    ['of another tab', null, 'r', 6, 0],
    ['in a history that is full', left, 'r', 50, 0],
  ])('%s', (_, kept, reference, length, steps) => {
    expect(stepsBack(kept, reference, length)).toBe(steps);
  });
});
