import { Plus } from 'lucide-react';
import { useEffect } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { useSignedIn } from '#data/services.ts';
import { useMirroredUser } from '#data/use-users.ts';
import { isUnanswered } from '#domain/outcome.ts';
import { History } from '#features/payments/components/history.tsx';
import { WalletCard } from '#features/payments/components/wallet-card.tsx';
import { usePayments } from '#features/payments/hooks/use-payments.ts';
import { payments as words } from '#messages/en/payments.ts';
import { readPendingPayment } from '#state/payment.ts';
import { BackButton } from '#ui/back-button.tsx';
import { Button, buttonClass } from '#ui/button.tsx';
import { Card, Notice, Skeletons } from '#ui/card.tsx';
import { Screen } from '#ui/screen.tsx';
import { showError, showSuccess } from '#ui/toast.tsx';

/** Announces a payment's outcome from the navigation state: once, not after a reload or Back. */
function useOutcomeToast(): void {
  const { pathname, search, state } = useLocation();
  const navigate = useNavigate();
  const outcome = (state as { paymentStatus?: unknown } | null)?.paymentStatus;
  useEffect(() => {
    if (outcome !== 'success' && outcome !== 'failed') return;
    if (outcome === 'success') showSuccess(words.payment.success);
    else showError(words.payment.failure);
    navigate(`${pathname}${search}`, { replace: true, state: null });
  }, [outcome, navigate, pathname, search]);
}

export function PaymentScreen() {
  useOutcomeToast();
  const { userInfo } = useSignedIn();
  const mirrored = useMirroredUser(userInfo.id)?.balance ?? null;
  const { heard, failure, isLoading, isLoadingMore, reload, showMore } = usePayments(mirrored);
  const pending = readPendingPayment(null);
  const isFirst = heard === null && failure === null;
  const isOffline = isUnanswered(failure);
  const complaint = heard ? words.payment.refreshFailed : words.payment.loadFailed;
  return (
    <Screen title={words.payment.title} lead={<BackButton label={words.back} to="/" />}>
      <WalletCard heard={heard} mirrored={mirrored} isStale={failure !== null} />
      <Link className={buttonClass('accent', true)} to="/deposit">
        <Plus aria-hidden size={20} />
        {words.payment.addFunds}
      </Link>
      {pending && (
        <Card title={words.payment.unfinishedTitle}>
          <p>{words.payment.unfinishedText}</p>
          <Link className={buttonClass('quiet')} to="/deposit">
            {words.payment.check}
          </Link>
        </Card>
      )}
      {failure && (
        <div role="status">
          <Notice text={`${complaint} ${isOffline ? words.needsNetwork : failure.message}`}>
            <Button tone="quiet" isBusy={isLoading} onClick={() => void reload()}>
              {isLoading ? words.payment.trying : words.payment.tryAgain}
            </Button>
          </Notice>
        </div>
      )}
      {isFirst && <Skeletons label={words.payment.loading} count={1} />}
      {heard && (
        <History
          entries={heard.payments.entries}
          hasMore={heard.payments.next !== null}
          isLoadingMore={isLoadingMore}
          onMore={showMore}
        />
      )}
    </Screen>
  );
}
