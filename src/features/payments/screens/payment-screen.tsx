import { lazy, Suspense, useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useActor } from '#data/use-actor.ts';
import { AddFunds } from '#features/payments/components/add-funds.tsx';
import { History } from '#features/payments/components/history.tsx';
import { LoadState, UnfinishedDeposit } from '#features/payments/components/load-state.tsx';
import { WalletCard } from '#features/payments/components/wallet-card.tsx';
import css from '#features/payments/payments.module.css';
import { loadPage, usePayments } from '#features/payments/use-payments.ts';
import { payments as words } from '#messages/en/payments.ts';
import { BackButton } from '#ui/back-button.tsx';
import { Skeletons } from '#ui/card.tsx';
import { Screen } from '#ui/screen.tsx';
import layout from '#ui/stack.module.css';
import { showError, showSuccess } from '#ui/toast.tsx';

/** Only couriers' phones store it (sw/parts.ts). */
const CourierParts = lazy(async () => ({
  default: (await import('#features/payments/components/courier-parts.tsx')).CourierPayment,
}));

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

const back = <BackButton label={words.back} to="/" />;

/** Couriers look for their earnings, all others for the balance they pay from. */
export function PaymentScreen() {
  useOutcomeToast();
  const { role } = useActor();
  if (role !== 'Employee') return <Wallet />;
  const waiting = (
    <Screen title={words.payment.title} lead={back}>
      <Skeletons label={words.payment.loading} count={2} />
    </Screen>
  );
  return (
    <Suspense fallback={waiting}>
      <CourierParts />
    </Suspense>
  );
}

function Wallet() {
  const payments = usePayments(loadPage);
  const { heard, balance, failure, isOffline, isLoadingMore, showMore } = payments;
  return (
    <Screen title={words.payment.title} lead={back}>
      <div className={`${layout.stack} ${css.top}`} data-wallet>
        <WalletCard heard={heard} mirrored={balance} isStale={failure !== null} />
        <AddFunds isOffline={isOffline} tone="accent" />
      </div>
      <UnfinishedDeposit />
      <LoadState {...payments} />
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
