import { useAtom } from 'jotai';
import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { useActor } from '#data/use-actor.ts';
import { useOwnUser } from '#data/use-users.ts';
import { formatDate } from '#domain/dates.ts';
import { depositFor } from '#domain/deposit.ts';
import { formatNaira, nairaToKobo } from '#domain/money.ts';
import type { PackageView } from '#domain/overlay.ts';
import { isReturnClaimed } from '#domain/package-state.ts';
import { can, factsOf, paymentActionOf } from '#domain/policy.ts';
import { displayName } from '#domain/user.ts';
import { packagePayment as words } from '#messages/en/package-payment.ts';
import { isPaymentDue } from '#package-ui/detail-rules.ts';
import { isPaidOut, methodText } from '#package-ui/price.tsx';
import type { PayFailure, Payment } from '#package-ui/use-pay-package.ts';
import { askToPayAtom } from '#state/payment.ts';
import { Button, buttonClass } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { QuestionDialog } from '#ui/dialog.tsx';
import layout from '#ui/stack.module.css';
import { showSuccess } from '#ui/toast.tsx';

interface Props {
  view: PackageView;
}

const amountOf = (view: PackageView) => formatNaira(view.priceOfferKobo);

/** Name of the payer; null: the reader. */
const payerOf = (view: PackageView, isSender: boolean) =>
  isSender ? null : displayName(view.sender);

interface Reader {
  isSender: boolean;
  isCourier: boolean;
  mayPay: boolean;
}

/** Says where the money of a paid app package is. */
export function whereItIs(
  view: PackageView,
  reader: Pick<Reader, 'isSender' | 'isCourier'>,
): string {
  const { paidOutKobo, priceOfferKobo: price, releaseAt, dispute, photosMissing } = view;
  const { isCourier } = reader;
  const amount = amountOf(view);
  if (paidOutKobo === 0) return words.app.wentBack(amount);
  if (paidOutKobo !== null && paidOutKobo < price) {
    return words.app.divided(formatNaira(paidOutKobo), formatNaira(price - paidOutKobo), isCourier);
  }
  if (isPaidOut(view)) return words.app.paidOut(amount, isCourier);
  if (dispute) return words.app.disputed(amount);
  if (photosMissing > 0) return words.app.photoMissing(amount, reader);
  if (releaseAt && isReturnClaimed(view)) {
    return words.app.returnClaimed(amount, formatDate(releaseAt, ''), reader);
  }
  if (releaseAt) return words.app.onItsWay(amount, formatDate(releaseAt, ''), reader);
  return words.app.held(amount, isCourier);
}

function explanationOf(view: PackageView, { isSender, isCourier, mayPay }: Reader): string {
  const isPaid = view.paymentStatus === 'paid';
  const amount = amountOf(view);
  const isCancelled = view.status === 'cancelled';
  if (view.paymentMethod !== 'app') {
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
      aside={<span className={layout.soft}>{methodText(view.paymentMethod)}</span>}
    >
      <p>{explanationOf(view, { isSender, isCourier, mayPay })}</p>
      {/* An unsent change may be of the price itself: the server still has the old one. */}
      {mayPay && isWaiting && (
        <p className={layout.soft}>{words.notSent[view.paymentMethod ?? 'cash']}</p>
      )}
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

/** Naira that the sender's own balance lacks, as far as this phone knows; 0: nothing. */
function useMissingNaira(view: PackageView, isSender: boolean): number {
  const balance = useOwnUser()?.balance ?? null;
  if (!isSender || view.paymentMethod !== 'app' || balance === null) return 0;
  return Math.max(0, view.priceOfferKobo - nairaToKobo(balance)) / 100;
}

const naira = (amount: number) => formatNaira(nairaToKobo(amount));

/** Link to a deposit that starts immediately and pays the package once the money arrives. */
const addAndPay = (view: PackageView, depositNaira: number) => ({
  to: `/deposit?amount=${depositNaira}&package=${view.id}`,
  state: { payKobo: view.priceOfferKobo },
});

function questionOf(view: PackageView, isSender: boolean, missingNaira: number) {
  const amount = amountOf(view);
  if (view.paymentMethod !== 'app') {
    return { title: words.markQuestion.title, text: words.markQuestion.text(amount) };
  }
  const { title, ...texts } = words.payQuestion;
  const isDelivered = view.status === 'delivered';
  if (missingNaira > 0) {
    const ask = isDelivered ? texts.textShortDelivered : texts.textShort;
    return { title, text: ask(naira(missingNaira), amount) };
  }
  const ask = isDelivered ? texts.textDelivered : texts.text;
  return { title, text: ask(amount, payerOf(view, isSender)) };
}

export function PayButton({ view, payment, isSender }: PayButtonProps) {
  const { pay, isBusy, failure } = payment;
  /** The package when the question opened: the server refuses a payment for any other version. */
  const [asked, setAsked] = useState<PackageView | null>(null);
  const isCash = view.paymentMethod !== 'app';
  const missingNaira = useMissingNaira(asked ?? view, isSender);
  const navigate = useNavigate();
  const [toAsk, setToAsk] = useAtom(askToPayAtom);
  useEffect(() => {
    if (toAsk?.packageId !== view.id || toAsk.version > view.version) return;
    setToAsk(null);
    setAsked(view);
  }, [toAsk, view, setToAsk]);

  const confirm = async (seen: PackageView) => {
    setAsked(null);
    const amount = amountOf(seen);
    // After delivery nothing is held: the courier is paid immediately.
    const done =
      seen.status === 'delivered' ? words.app.paidOut(amount, false) : words.paid(amount);
    // First: the balance may have changed since this phone heard of it.
    const fault = await pay(seen.version);
    if (fault === null) return showSuccess(isCash ? words.marked : done);
    const isCovered = fault.kind === 'short' && fault.missingNaira <= depositFor(missingNaira);
    if (missingNaira === 0 || !isCovered) return;
    const { to, state } = addAndPay(seen, depositFor(missingNaira));
    navigate(to, { state });
  };

  // With insufficient funds, the deposit button is the primary action.
  const payTone = failure?.kind === 'short' && isSender ? 'quiet' : 'accent';
  // Delivering asks for the cash; this button is for cash collected at another time.
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
          {...questionOf(asked, isSender, missingNaira)}
          confirmLabel={
            isCash
              ? words.confirm
              : missingNaira > 0
                ? words.addAndPay(naira(depositFor(missingNaira)))
                : words.payNow
          }
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
  const missing = naira(failure.missingNaira);
  return isSender ? words.short(missing) : words.shortOf(missing, sender);
}

interface ComplaintProps extends Props {
  failure: PayFailure;
  isSender: boolean;
}

/** Why the payment failed and, with insufficient funds, the way to pay it all the same. */
function Complaint({ view, failure, isSender }: ComplaintProps) {
  const place = useRef<HTMLDivElement>(null);
  // Newer browsers' scrollIntoView returns a promise, no cleanup function.
  useEffect(() => {
    // Centred: the bar at the thumb would cover an element at the edge of the view.
    place.current?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <div className={layout.stack} ref={place}>
      <p className={`${layout.box} ${layout.bad}`} role="alert">
        {sentenceOf(failure, isSender, displayName(view.sender))}
      </p>
      {failure.kind === 'short' && isSender && (
        <Link
          className={buttonClass('accent')}
          {...addAndPay(view, depositFor(failure.missingNaira))}
        >
          {words.addAndPay(naira(depositFor(failure.missingNaira)))}
        </Link>
      )}
    </div>
  );
}
