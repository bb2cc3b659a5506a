/**
 * Polls the server for a deposit's outcome until it is final.
 *
 *   asking ──settled──▶ paid, final
 *     │ ├──pending──▶ asks again after 2 s, for a minute; then `slow`
 *     │ ├──`failed`, `abandoned`, `review`
 *     │ ├──no answer──▶ `unreachable`, asks again after 10 s
 *     │ └──not this user's──▶ unknown, final
 *     └◀── from any of these: page visible again, online again, or the button
 *
 * Invariants: one request at a time; none while the page is hidden.
 */
import { ApiFailure } from '#api/failure.ts';
import { isErrorCode } from '#contract/errors.ts';
import type { VerifiedPayment } from '#contract/payment.ts';

export const verifyEveryMs = 2000;
/** Attempts in a row; each may call the provider, and the server allows 60 in 10 minutes. */
export const asksInARow = 30;
export const unreachableEveryMs = 10_000;

export type Verification = 'checking' | 'unreachable' | 'slow' | 'failed' | 'abandoned' | 'review';

export interface VerifierNeeds {
  verify(): Promise<VerifiedPayment>;
  isVisible(): boolean;
  onChange(verification: Verification): void;
  onPaid(data: VerifiedPayment): void;
  /** It does not exist or belongs to another user. */
  onUnknown(): void;
}

export interface Verifier {
  /** On becoming visible or online; keeps the shown state until an answer. */
  look(): void;
  /** On the button. */
  check(): void;
  stop(): void;
}

type Miss = 'unknown' | 'slow' | 'signedOut' | 'unreachable';

/** Classifies a failure. Only an answer of our own server is final. */
function missOf(error: unknown): Miss {
  if (!(error instanceof ApiFailure) || error.failure.kind !== 'http') return 'unreachable';
  const { status, code } = error.failure;
  if (status === 429) return 'slow';
  if (status === 401) return 'signedOut';
  return status < 500 && isErrorCode(code) ? 'unknown' : 'unreachable';
}

/** Starts with an immediate request. */
export function startVerifier(needs: VerifierNeeds): Verifier {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let shown: Verification = 'checking';
  let asked = 0;
  let isAsking = false;
  let isOver = false;

  const show = (next: Verification) => {
    if (next === shown) return;
    shown = next;
    needs.onChange(next);
  };

  const askAfter = (delayMs: number) => {
    timer = setTimeout(() => {
      if (needs.isVisible()) void ask();
    }, delayMs);
  };

  function hear(data: VerifiedPayment): void {
    if (data.depositedAmount > 0) {
      isOver = true;
      show('checking');
      needs.onPaid(data);
    } else if (data.status !== 'pending' && data.status !== 'credited') {
      show(data.status);
    } else if (asked >= asksInARow) {
      show('slow');
    } else {
      show('checking');
      askAfter(verifyEveryMs);
    }
  }

  function miss(error: unknown): void {
    const kind = missOf(error);
    // The sign-in screen follows, and the reference is kept.
    if (kind === 'signedOut') return;
    if (kind === 'unknown') {
      isOver = true;
      needs.onUnknown();
      return;
    }
    show(kind);
    if (kind === 'unreachable') askAfter(unreachableEveryMs);
  }

  async function ask(): Promise<void> {
    if (isAsking || isOver) return;
    clearTimeout(timer);
    isAsking = true;
    asked += 1;
    const answer = await needs.verify().then(
      (data) => () => hear(data),
      (error: unknown) => () => miss(error),
    );
    isAsking = false;
    if (!isOver) answer();
  }

  function look(): void {
    if (!needs.isVisible()) return;
    asked = 0;
    void ask();
  }

  look();
  return {
    look,
    check: () => {
      show('checking');
      look();
    },
    stop: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
