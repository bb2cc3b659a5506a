/** Around balance and history: a deposit that is still open, and data that could not be loaded. */
import { CloudOff } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useSyncStatus } from '#data/use-connection.ts';
import { isUnanswered } from '#domain/outcome.ts';
import css from '#features/payments/payments.module.css';
import { loadFailureText, type usePayments } from '#features/payments/use-payments.ts';
import { payments as words } from '#messages/en/payments.ts';
import { readPendingPayment } from '#state/payment.ts';
import { Button, buttonClass } from '#ui/button.tsx';
import { Card, Notice, Skeletons } from '#ui/card.tsx';
import layout from '#ui/stack.module.css';

export function UnfinishedDeposit() {
  if (!readPendingPayment(null)) return null;
  return (
    <Card title={words.payment.unfinishedTitle}>
      <p>{words.payment.unfinishedText}</p>
      <Link className={buttonClass('quiet')} to="/deposit">
        {words.payment.check}
      </Link>
    </Card>
  );
}

type Loading = Pick<
  ReturnType<typeof usePayments>,
  'heard' | 'failure' | 'isOffline' | 'isLoading' | 'reload'
>;

export function LoadState({ heard, failure, isOffline, isLoading, reload }: Loading) {
  const { lastFailure } = useSyncStatus();
  // By the connection's line.
  const isTold = isOffline && (!navigator.onLine || isUnanswered(lastFailure));
  const again = (
    <Button tone={heard ? 'plain' : 'primary'} isBusy={isLoading} onClick={() => void reload()}>
      {isLoading ? words.payment.trying : words.payment.tryAgain}
    </Button>
  );
  if (!failure) return heard ? null : <Skeletons label={words.payment.loading} count={1} />;
  if (heard && isTold) return null;
  return (
    <div role="status">
      {heard ? (
        // The history that is known stays in sight.
        <div className={`${layout.row} ${css.stale}`}>
          <p>
            <strong>{words.payment.refreshFailed}</strong> {loadFailureText(failure)}
          </p>
          {again}
        </div>
      ) : (
        <Notice
          icon={<CloudOff aria-hidden size={40} />}
          title={words.payment.loadFailed}
          text={loadFailureText(failure)}
        >
          {again}
        </Notice>
      )}
    </div>
  );
}
