import { formatNaira, nairaToKobo } from '#domain/money.ts';
import css from '#features/payments/payments.module.css';
import { leaveForProvider } from '#features/payments/provider-page.ts';
import type { Verification } from '#features/payments/verifier.ts';
import { payments as words } from '#messages/en/payments.ts';
import type { PendingPayment } from '#state/payment.ts';
import { Button, buttonClass } from '#ui/button.tsx';
import { Card, Fact, Facts } from '#ui/card.tsx';
import { useFocusOn } from '#ui/focus-guard.ts';
import layout from '#ui/stack.module.css';

interface VerifyCardProps {
  pending: PendingPayment;
  verification: Verification;
  /** The user returned from the provider's page, so nothing is left to do there. */
  hasReturned: boolean;
  onCheck(): void;
  onRestart(): void;
  onStop(): void;
  onLeave(): void;
}

export function VerifyCard(props: VerifyCardProps) {
  const { pending, verification, hasReturned } = props;
  const { title, text } = words.verify.texts[verification];
  const isOver = verification === 'failed' || verification === 'abandoned';
  const isPayable =
    pending.paymentUrl !== '' &&
    (verification === 'abandoned' ||
      (!hasReturned && (verification === 'checking' || verification === 'slow')));
  const place = useFocusOn(verification, { isRescue: true });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would draw a frame of its own around it.
    <div
      ref={place}
      tabIndex={-1}
      className={css.landing}
      role="group"
      aria-label={words.verify.label}
    >
      <Card title={<span aria-live="polite">{title}</span>}>
        <p>{text}</p>
        <Facts>
          {pending.amount !== null && (
            <Fact label={words.verify.amount}>{formatNaira(nairaToKobo(pending.amount))}</Fact>
          )}
          <Fact label={words.verify.reference}>{pending.reference}</Fact>
        </Facts>
        <div className={layout.actions}>
          {isOver && <Button onClick={props.onRestart}>{words.verify.restart}</Button>}
          {isPayable && (
            <a
              className={buttonClass('quiet')}
              href={pending.paymentUrl}
              onClick={(event) => {
                event.preventDefault();
                leaveForProvider(pending.paymentUrl, pending.reference);
              }}
            >
              {words.verify.toProvider}
            </a>
          )}
          {verification !== 'checking' && verification !== 'failed' && (
            <Button tone="quiet" onClick={props.onCheck}>
              {words.verify.again}
            </Button>
          )}
          {isOver ? (
            <Button tone="quiet" onClick={props.onLeave}>
              {words.verify.leave}
            </Button>
          ) : (
            <Button tone="quiet" onClick={props.onStop}>
              {words.verify.stop}
            </Button>
          )}
        </div>
      </Card>
    </div>
  );
}
