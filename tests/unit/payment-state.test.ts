/** The states of a deposit, and what is stored across page loads. */
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { typedKeys } from '#state/forgettable.ts';
import {
  forgetPendingPayment,
  idlePayment,
  nextPayment,
  type PaymentEvent,
  type PaymentState,
  readPendingPayment,
  rememberPendingPayment,
  rememberSettled,
  wasSettledBefore,
} from '#state/payment.ts';
import { safeLocalStorage } from '#state/safe-storage.ts';
import { localStorageOf } from '#tests/fakes/local-storage.ts';

const at = '2026-11-21T10:00:00.000Z';
const data = { depositedAmount: 5000, status: 'credited', reference: 'ref-1' } as const;
const paymentUrl = 'https://pay.test/1';
const toPage = { kind: 'redirected', paymentUrl, reference: 'ref-1' } as const;

const stateAfter = (...events: PaymentEvent[]) => events.reduce(nextPayment, idlePayment);

describe('a deposit', () => {
  it('goes from idle via processing, redirecting and verified to success', () => {
    const processing = stateAfter({ kind: 'initiated', amount: 5000 });
    expect(processing).toEqual({ ...idlePayment, status: 'processing', amount: 5000 });
    const redirecting = nextPayment(processing, toPage);
    const sent = { status: 'redirecting', paymentUrl, reference: 'ref-1', amount: 5000 };
    expect(redirecting).toMatchObject(sent);
    const verified = nextPayment(redirecting, { kind: 'verified', data, at });
    const paid = { status: 'verified', verificationData: data, lastUpdated: at, error: null };
    expect(verified).toMatchObject(paid);
    const success = nextPayment(verified, { kind: 'succeeded' });
    expect(success).toEqual({ ...verified, status: 'success' });
  });

  it('keeps the error and its time on failure, and restarts without them', () => {
    const failure = { kind: 'failed', error: 'No.', at } as const;
    const failed = stateAfter({ kind: 'initiated', amount: 300 }, failure);
    expect(failed).toMatchObject({ status: 'failed', error: 'No.', lastUpdated: at, amount: 300 });
    const again = nextPayment(failed, { kind: 'initiated', amount: 400 });
    expect(again).toEqual({ ...idlePayment, status: 'processing', amount: 400 });
  });

  it('returning to a page without its state can be verified, and only it', () => {
    const returned = stateAfter({ kind: 'returned', reference: 'ref-9' });
    expect(returned).toEqual({ ...idlePayment, status: 'redirecting', reference: 'ref-9' });
    const begunHere = stateAfter({ kind: 'initiated', amount: 700 }, toPage);
    expect(nextPayment(begunHere, { kind: 'returned', reference: 'ref-1' }).amount).toBe(700);
    expect(nextPayment(begunHere, { kind: 'returned', reference: 'ref-2' }).amount).toBeNull();
  });

  const event: fc.Arbitrary<PaymentEvent> = fc.oneof(
    fc.record({ kind: fc.constant('initiated' as const), amount: fc.integer({ min: 100 }) }),
    fc.constant(toPage),
    fc.record({ kind: fc.constant('returned' as const), reference: fc.string({ minLength: 1 }) }),
    fc.constant({ kind: 'verified' as const, data, at }),
    fc.constant({ kind: 'succeeded' as const }),
    fc.constant({ kind: 'failed' as const, error: 'No.', at }),
    fc.constant({ kind: 'reset' as const }),
  );

  /** Invariants of each state, however reached. */
  function expectSound(state: PaymentState) {
    const isVerified = state.status === 'verified' || state.status === 'success';
    if (isVerified) expect(state.verificationData?.depositedAmount).toBeGreaterThan(0);
    if (state.status === 'redirecting') expect(state.reference).not.toBe('');
    expect(state.error !== null).toBe(state.status === 'failed');
    if (isVerified || state.status === 'failed') expect(state.lastUpdated).toBe(at);
    if (state.status === 'idle') expect(state).toEqual(idlePayment);
  }

  it('is never paid without verification, for any sequence of events', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 20 }), (events) => {
        let state = idlePayment;
        for (const each of events) {
          const before = state;
          state = nextPayment(before, each);
          expectSound(state);
          if (state.status === before.status) continue;
          if (state.status === 'verified') expect(before.status).toBe('redirecting');
          if (state.status === 'success') expect(before.status).toBe('verified');
        }
        expect(nextPayment(state, { kind: 'reset' })).toEqual(idlePayment);
      }),
    );
  });
});

const memory = new Map<string, string>();

describe('the pending payment', () => {
  beforeEach(() => {
    memory.clear();
    Object.assign(globalThis, { localStorage: localStorageOf(memory) });
  });

  const pending = { reference: 'ref-1', paymentUrl, amount: 600, packageId: 'p', payKobo: 155_000 };

  it('is stored by reference under the specified key', () => {
    rememberPendingPayment(pending);
    expect(memory.get(typedKeys.pendingReference)).toBe('ref-1');
    expect(typedKeys.pendingReference).toBe('pendingReference');
    expect(readPendingPayment(null)).toEqual(pending);
    expect(readPendingPayment('ref-1')).toEqual(pending);
  });

  it('has no details of another payment, and no unreadable ones', () => {
    const unknown = { paymentUrl: '', amount: null, packageId: '', payKobo: null };
    rememberPendingPayment(pending);
    expect(readPendingPayment('ref-2')).toEqual({ reference: 'ref-2', ...unknown });
    for (const broken of ['{', 'null', '7', '{"reference":"ref-1","amount":"600"}']) {
      memory.set('pendingPayment', broken);
      expect(readPendingPayment(null)).toEqual({ reference: 'ref-1', ...unknown });
    }
    safeLocalStorage.removeItem(typedKeys.pendingReference);
    expect(readPendingPayment(null)).toBeNull();
    expect(readPendingPayment('')).toBeNull();
  });

  it('is removed with its details unless another has begun since', () => {
    rememberPendingPayment(pending);
    forgetPendingPayment('ref-0');
    expect(readPendingPayment(null)).toEqual(pending);
    forgetPendingPayment('ref-1');
    expect(readPendingPayment(null)).toBeNull();
    expect(memory.size).toBe(0);
  });

  it('is settled once its success was shown', () => {
    expect(wasSettledBefore('ref-1')).toBe(false);
    rememberSettled('ref-1');
    expect(wasSettledBefore('ref-1')).toBe(true);
    expect(wasSettledBefore('ref-2')).toBe(false);
  });
});
