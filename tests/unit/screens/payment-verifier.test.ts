import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiFailure } from '#api/failure.ts';
import type { VerifiedPayment } from '#contract/payment.ts';
import type { Failure } from '#domain/outcome.ts';
import {
  asksInARow,
  startVerifier,
  unreachableEveryMs,
  type Verification,
  verifyEveryMs,
} from '#features/payments/verifier.ts';

const answerOf = (status: VerifiedPayment['status'], depositedAmount = 0): VerifiedPayment => ({
  status,
  depositedAmount,
  reference: 'ref',
});
const pending = () => Promise.resolve(answerOf('pending'));
const failing = (failure: Partial<Failure>) => () =>
  Promise.reject(new ApiFailure({ kind: 'http', status: 0, code: '', message: '', ...failure }));
const noNetwork = failing({ kind: 'network' });

function stage(first: () => Promise<VerifiedPayment>) {
  const shown: Verification[] = [];
  const seen = {
    shown,
    isVisible: true,
    answer: first,
    onPaid: vi.fn(),
    onUnknown: vi.fn(),
    asked: vi.fn(),
  };
  const verifier = startVerifier({
    verify: () => {
      seen.asked();
      return seen.answer();
    },
    isVisible: () => seen.isVisible,
    onChange: (next) => shown.push(next),
    onPaid: seen.onPaid,
    onUnknown: seen.onUnknown,
  });
  return Object.assign(seen, { verifier });
}

/** Waits until everything due has been answered. */
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('polling a deposit', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('polls immediately, then every 2 s until it is credited', async () => {
    const seen = stage(pending);
    expect(seen.asked).toHaveBeenCalledTimes(1);
    await pass(verifyEveryMs - 1);
    expect(seen.asked).toHaveBeenCalledTimes(1);
    await pass(1);
    expect(seen.asked).toHaveBeenCalledTimes(2);
    seen.answer = () => Promise.resolve(answerOf('credited', 500));
    await pass(verifyEveryMs);
    expect(seen.onPaid).toHaveBeenCalledExactlyOnceWith(answerOf('credited', 500));
    seen.verifier.check();
    await pass(60_000);
    expect(seen.asked).toHaveBeenCalledTimes(3);
    expect(seen.shown).toEqual([]);
  });

  it('sends one request at a time, however slow the answer', async () => {
    let answer = (_: VerifiedPayment) => {};
    const seen = stage(() => new Promise((resolve) => (answer = resolve)));
    seen.verifier.look();
    seen.verifier.check();
    await pass(10 * verifyEveryMs);
    expect(seen.asked).toHaveBeenCalledTimes(1);
    answer(answerOf('pending'));
    await pass(verifyEveryMs);
    expect(seen.asked).toHaveBeenCalledTimes(2);
  });

  it('pauses after a minute without result, and resumes on request', async () => {
    const seen = stage(pending);
    await pass(asksInARow * verifyEveryMs * 10);
    expect(seen.asked).toHaveBeenCalledTimes(asksInARow);
    expect(seen.shown).toEqual(['slow']);
    seen.verifier.check();
    await pass(asksInARow * verifyEveryMs * 10);
    expect(seen.asked).toHaveBeenCalledTimes(2 * asksInARow);
    expect(seen.shown).toEqual(['slow', 'checking', 'slow']);
  });

  it('pauses while the page is hidden, and polls when it is shown', async () => {
    const seen = stage(pending);
    await pass(0);
    seen.isVisible = false;
    seen.verifier.look();
    await pass(10 * 60_000);
    expect(seen.asked).toHaveBeenCalledTimes(1);
    seen.isVisible = true;
    seen.verifier.look();
    expect(seen.asked).toHaveBeenCalledTimes(2);
    await pass(verifyEveryMs);
    expect(seen.asked).toHaveBeenCalledTimes(3);
  });

  it.each(['failed', 'abandoned', 'review'] as const)('pauses at %s', async (status) => {
    const seen = stage(() => Promise.resolve(answerOf(status)));
    await pass(60_000);
    expect(seen.shown).toEqual([status]);
    expect(seen.asked).toHaveBeenCalledTimes(1);
    // Paid after all in another tab: seen when the page is shown again.
    seen.answer = () => Promise.resolve(answerOf('credited', 300));
    seen.verifier.look();
    await pass(0);
    expect(seen.onPaid).toHaveBeenCalledOnce();
  });

  it.each([
    ['no network', noNetwork],
    ['no answer in time', failing({ kind: 'timeout' })],
    ["a hotspot's page", failing({ kind: 'malformed', status: 200 })],
    ['a server in trouble', failing({ status: 503, code: 'unavailable' })],
    ['a gateway that blocks', failing({ status: 404 })],
  ])('continues after %s, less often, without giving up', async (_, answer) => {
    const seen = stage(answer);
    await pass(unreachableEveryMs * 200);
    expect(seen.shown).toEqual(['unreachable']);
    expect(seen.asked).toHaveBeenCalledTimes(201);
    expect(seen.onUnknown).not.toHaveBeenCalled();
    seen.answer = pending;
    seen.verifier.look();
    await pass(0);
    expect(seen.shown).toEqual(['unreachable', 'checking']);
  });

  it.each([
    ['of another user', failing({ status: 404, code: 'not_found' })],
    ['that may not be asked about', failing({ status: 403, code: 'forbidden' })],
    ['that is invalid', failing({ status: 422, code: 'invalid_fields' })],
  ])('ends for a reference %s', async (_, answer) => {
    const seen = stage(answer);
    await pass(60_000);
    expect(seen.onUnknown).toHaveBeenCalledOnce();
    expect(seen.asked).toHaveBeenCalledTimes(1);
  });

  it('pauses after the session ends or a rate limit', async () => {
    const over = stage(failing({ status: 401, code: 'session_expired' }));
    const limited = stage(failing({ status: 429, code: 'rate_limited' }));
    await pass(60_000);
    expect([over.shown, limited.shown]).toEqual([[], ['slow']]);
    expect(over.asked).toHaveBeenCalledTimes(1);
    expect(limited.asked).toHaveBeenCalledTimes(1);
    expect(over.onUnknown).not.toHaveBeenCalled();
  });

  it('reports nothing after it is stopped, though an answer arrives', async () => {
    let answer = (_: VerifiedPayment) => {};
    const seen = stage(() => new Promise((resolve) => (answer = resolve)));
    seen.verifier.stop();
    answer(answerOf('credited', 500));
    await pass(60_000);
    expect(seen.onPaid).not.toHaveBeenCalled();
    expect(seen.asked).toHaveBeenCalledTimes(1);
  });
});
