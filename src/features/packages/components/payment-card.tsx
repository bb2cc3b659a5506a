import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { failureOf } from '#api/failure.ts';
import { newId } from '#data/new-id.ts';
import { useSignedIn } from '#data/services.ts';
import { useActor } from '#data/use-actor.ts';
import { formatDate } from '#domain/dates.ts';
import { depositFor } from '#domain/deposit.ts';
import { formatNaira, nairaToKobo } from '#domain/money.ts';
import { type Failure, sentenceOfFailure } from '#domain/outcome.ts';
import type { PackageView } from '#domain/overlay.ts';
import { can, factsOf, paymentActionOf } from '#domain/policy.ts';
import { displayName } from '#domain/user.ts';
import { isPaymentDue } from '#features/packages/detail-rules.ts';
import { fields } from '#messages/en/fields.ts';
import { packagePayment as words } from '#messages/en/package-payment.ts';
import { Button, buttonClass } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { QuestionDialog } from '#ui/dialog.tsx';
import layout from '#ui/stack.module.css';
import { showSuccess } from '#ui/toast.tsx';
import css from './detail.module.css';
import { isPaidOut } from './price.tsx';

interface Props {
  view: PackageView;
}

const amountOf = (view: PackageView) => formatNaira(view.priceOfferKobo);

/** Whose balance pays; null: the reader's own. */
const payerOf = (view: PackageView, isSender: boolean) =>
  isSender ? null : displayName(view.sender);

interface Reader {
  isSender: boolean;
  isCourier: boolean;
  mayPay: boolean;
}

/** Where the money of an app package is that was paid. */
export function whereItIs(
  view: PackageView,
  reader: Pick<Reader, 'isSender' | 'isCourier'>,
): string {
  const { paidOutKobo, priceOfferKobo: price, releaseAt, dispute } = view;
  const { isCourier } = reader;
  const amount = amountOf(view);
  if (paidOutKobo === 0) return words.app.wentBack(amount);
  if (paidOutKobo !== null && paidOutKobo < price) {
    return words.app.divided(formatNaira(paidOutKobo), formatNaira(price - paidOutKobo), isCourier);
  }
  if (isPaidOut(view)) return words.app.paidOut(amount, isCourier);
  if (dispute) return words.app.disputed(amount);
  if (releaseAt) return words.app.onItsWay(amount, formatDate(releaseAt, ''), reader);
  return words.app.held(amount, isCourier);
}

function explanationOf(view: PackageView, { isSender, isCourier, mayPay }: Reader): string {
  const isPaid = view.paymentStatus === 'paid';
  const amount = amountOf(view);
  const isCancelled = view.status === 'cancelled';
  if (view.paymentMethod === 'cash') {
    return isCancelled && !isPaid ? words.cash.cancelled : words.cash[view.paymentStatus](amount);
  }
  const isDelivered = view.status === 'delivered';
  if (isPaid || view.paidOutKobo === 0) return whereItIs(view, { isSender, isCourier });
  if (isCancelled) return words.app.cancelled;
  if (!isSender && !mayPay) return words.app.unpaidForCourier;
  return words.app[isDelivered ? 'unpaidDelivered' : 'unpaid'](amount, payerOf(view, isSender));
}

interface PaymentCardProps extends Props {
  payment: Payment;
  /** The button is in the bar at the thumb. */
  isPayInBar: boolean;
}

export function PaymentCard({ view, payment, isPayInBar }: PaymentCardProps) {
  const actor = useActor();
  const isSender = view.sender.id === actor.id;
  const action = paymentActionOf(view.paymentMethod, 'paid');
  const mayPay = isPaymentDue(view) && can(actor, action, factsOf(view)).isAllowed;
  const isCourier = view.courier?.id === actor.id;
  const isWaiting = view.mark === 'waiting';
  return (
    <Card
      title={words.title}
      aside={<span className={layout.soft}>{fields.methods[view.paymentMethod]}</span>}
    >
      <p>{explanationOf(view, { isSender, isCourier, mayPay })}</p>
      {/* An unsent change may be of the price itself: the server still has the old one. */}
      {mayPay && isWaiting && <p className={layout.soft}>{words.notSent[view.paymentMethod]}</p>}
      {mayPay && !isWaiting && payment.failure && (
        <Complaint view={view} failure={payment.failure} isSender={isSender} />
      )}
      {mayPay && !isWaiting && !isPayInBar && (
        <PayButton view={view} payment={payment} isSender={isSender} />
      )}
    </Card>
  );
}

interface PayButtonProps extends Props {
  payment: Payment;
  isSender: boolean;
}

function questionOf(view: PackageView, isSender: boolean): { title: string; text: string } {
  const amount = amountOf(view);
  if (view.paymentMethod === 'cash') {
    return { title: words.markQuestion.title, text: words.markQuestion.text(amount) };
  }
  const { title, text, textDelivered } = words.payQuestion;
  const ask = view.status === 'delivered' ? textDelivered : text;
  return { title, text: ask(amount, payerOf(view, isSender)) };
}

/** Why a payment failed. `missingNaira`: shortfall of the sender's balance. */
type PayFailure = { kind: 'short'; missingNaira: number } | { kind: 'other'; message: string };

function payFailureOf(failure: Failure | null): PayFailure {
  if (failure?.code === 'insufficient_funds' && failure.missingNaira !== undefined) {
    return { kind: 'short', missingNaira: failure.missingNaira };
  }
  const { needsNetwork, failed: otherwise } = words;
  return { kind: 'other', message: sentenceOfFailure(failure, { needsNetwork, otherwise }) };
}

/** Never queued (docs/decisions/0018): succeeds only online and only for the version shown. */
export function usePayPackage(id: string) {
  const { api, engine } = useSignedIn();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<PayFailure | null>(null);
  /** Kept until answered, so that a retry after a lost answer never pays twice. */
  const key = useRef('');

  /** Resolves to whether it is paid. `version`: the package's version on the screen. */
  const pay = async (version: number): Promise<boolean> => {
    if (isBusy) return false;
    key.current ||= newId();
    setIsBusy(true);
    setFailure(null);
    try {
      await api.patchPackage(id, { paymentStatus: 'paid', baseVersion: version }, key.current);
      key.current = '';
      engine.request('pull');
      return true;
    } catch (error) {
      const found = failureOf(error);
      if (!found || found.kind === 'http') key.current = '';
      setFailure(payFailureOf(found));
      // The package has probably changed: refreshes it.
      engine.request('pull');
      return false;
    } finally {
      setIsBusy(false);
    }
  };
  return { pay, isBusy, failure };
}

export type Payment = ReturnType<typeof usePayPackage>;

export function PayButton({ view, payment, isSender }: PayButtonProps) {
  const { pay, isBusy, failure } = payment;
  /** The package when the question opened: the server refuses a payment for any other version. */
  const [asked, setAsked] = useState<PackageView | null>(null);
  const isCash = view.paymentMethod === 'cash';

  const confirm = async (seen: PackageView) => {
    setAsked(null);
    const amount = amountOf(seen);
    // After delivery nothing is held: the courier is paid immediately.
    const done =
      seen.status === 'delivered' ? words.app.paidOut(amount, false) : words.paid(amount);
    if (await pay(seen.version)) showSuccess(isCash ? words.marked : done);
  };

  // With insufficient funds, the deposit button is the primary action.
  const payTone = failure?.kind === 'short' && isSender ? 'quiet' : 'accent';
  // Delivering asks for the cash; this is for what is collected at another time.
  const cashTone = view.status === 'delivered' && !view.dispute ? 'primary' : 'quiet';
  const tone = isCash ? cashTone : payTone;
  const label = isCash ? words.markPaid : words.payNow;
  const busyLabel = isCash ? words.marking : words.paying;
  return (
    <>
      <Button tone={tone} isBusy={isBusy} onClick={() => setAsked(view)}>
        {isBusy ? busyLabel : label}
      </Button>
      {asked && (
        <QuestionDialog
          {...questionOf(asked, isSender)}
          confirmLabel={isCash ? words.confirm : words.payNow}
          cancelLabel={words.cancel}
          onConfirm={() => void confirm(asked)}
          onCancel={() => setAsked(null)}
        />
      )}
    </>
  );
}

function sentenceOf(failure: PayFailure, isSender: boolean, sender: string): string {
  if (failure.kind === 'other') return failure.message;
  const missing = formatNaira(nairaToKobo(failure.missingNaira));
  return isSender ? words.short(missing) : words.shortOf(missing, sender);
}

interface ComplaintProps extends Props {
  failure: PayFailure;
  isSender: boolean;
}

/** Why the payment failed and, with insufficient funds, a link to the deposit. */
function Complaint({ view, failure, isSender }: ComplaintProps) {
  const place = useRef<HTMLDivElement>(null);
  // Newer browsers' scrollIntoView returns a promise, no cleanup function.
  useEffect(() => {
    // Centred: the bar at the thumb would cover what is merely in view.
    place.current?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <div className={layout.stack} ref={place}>
      <p className={css.complaint} role="alert">
        {sentenceOf(failure, isSender, displayName(view.sender))}
      </p>
      {failure.kind === 'short' && isSender && (
        <Link
          className={buttonClass('accent')}
          to={`/deposit?amount=${depositFor(failure.missingNaira)}&package=${view.id}`}
        >
          {words.addFunds}
        </Link>
      )}
    </div>
  );
}
