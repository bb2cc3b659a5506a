/**
 * Pays what was agreed to before the money was there, once it is: after the deposit, or when the app
 * is opened again although the provider's page was closed.
 *
 *   pending ──money there──▶ due ──price not higher──▶ paid
 *                             └──▶ asked again: it costs more, or the server says why not
 *
 * Exactly once: a package that is paid is not paid again, and only the version read is paid.
 */
import { failureOf } from '#api/failure.ts';
import { newId } from '#data/new-id.ts';
import type { SignedIn } from '#data/services.ts';
import { formatNaira, nairaToKobo } from '#domain/money.ts';
import { packagePayment } from '#messages/en/package-payment.ts';
import { payments as words } from '#messages/en/payments.ts';
import {
  forgetDue,
  forgetPendingPayment,
  readDue,
  readPendingPayment,
  rememberDue,
  rememberSettled,
} from '#state/payment.ts';

export interface PayingNeeds extends Pick<SignedIn, 'engine'> {
  api: Pick<SignedIn['api'], 'getPackage' | 'patchPackage' | 'verifyPayment'>;
  say(text: string): void;
  /** It is not paid without a question after all. */
  ask(packageId: string, version: number): void;
}

/** The screen of the deposit looks after its own. */
async function findMoney({ api, engine, say }: PayingNeeds): Promise<void> {
  const pending = readPendingPayment(null);
  if (pending === null || pending.payKobo === null) return;
  const { depositedAmount } = await api.verifyPayment(pending.reference);
  if (depositedAmount <= 0 || !rememberDue(pending)) return;
  rememberSettled(pending.reference);
  forgetPendingPayment(pending.reference);
  say(words.deposit.success(nairaToKobo(depositedAmount)));
  engine.request('pull');
}

/** The server has decided, and would decide the same again. */
function isFinal(error: unknown): boolean {
  const failure = failureOf(error);
  return failure?.kind === 'http' && failure.status < 500 && ![401, 429].includes(failure.status);
}

async function payDue({ api, engine, say, ask }: PayingNeeds): Promise<void> {
  const due = readDue();
  if (!due) return;
  const { packageId: id, payKobo } = due;
  const seen = await api.getPackage(id).catch((error: unknown) => {
    if (isFinal(error)) forgetDue();
    throw error;
  });
  const { paymentStatus, paymentMethod, priceOfferKobo, version } = seen;
  const isAgreed = paymentMethod === 'app' && priceOfferKobo <= payKobo;
  if (paymentStatus === 'paid' || !isAgreed) {
    forgetDue();
    if (paymentStatus !== 'paid') ask(id, version);
    return;
  }
  try {
    await api.patchPackage(
      id,
      { paymentStatus: 'paid', ...(version && { baseVersion: version }) },
      newId(),
    );
    forgetDue();
    const amount = formatNaira(priceOfferKobo);
    const isOver = seen.status === 'delivered';
    say(isOver ? packagePayment.app.paidOut(amount, false) : packagePayment.paid(amount));
  } catch (error) {
    // Unanswered: it is looked at again, and may be paid by then.
    if (!isFinal(error)) throw error;
    forgetDue();
    ask(id, version);
  } finally {
    engine.request('pull');
  }
}

let paying: Promise<void> | null = null;

/** Never rejects; one at a time. */
export function payWhenDue(needs: PayingNeeds, isAtDeposit: boolean): Promise<void> {
  const pay = async () => {
    if (!isAtDeposit && !readDue()) await findMoney(needs);
    await payDue(needs);
  };
  paying ??= pay()
    .catch(() => undefined)
    .finally(() => {
      paying = null;
    });
  return paying;
}
