/** A courier's money: what they earned, what they can take out, and how it gets to their bank. */
import { Banknote, Landmark } from 'lucide-react';
import { useState } from 'react';
import type { Payouts } from '#contract/payout.ts';
import { useSignedIn } from '#data/services.ts';
import { useSyncStatus } from '#data/use-connection.ts';
import { useNow } from '#data/use-now.ts';
import { usePackageViews } from '#data/use-packages.ts';
import { updatedAt } from '#domain/dates.ts';
import { formatNaira, nairaToKobo } from '#domain/money.ts';
import { isUnanswered } from '#domain/outcome.ts';
import { AvailableCard } from '#features/payments/components/available-card.tsx';
import { BankAccountCard } from '#features/payments/components/bank-account-card.tsx';
import { BankAccountSheet } from '#features/payments/components/bank-account-sheet.tsx';
import { CashOutSheet } from '#features/payments/components/cash-out-sheet.tsx';
import { EarningsCard } from '#features/payments/components/earnings-card.tsx';
import { History } from '#features/payments/components/history.tsx';
import { LoadState, UnfinishedDeposit } from '#features/payments/components/load-state.tsx';
import { PayoutsCard } from '#features/payments/components/payouts-card.tsx';
import { earningsOf } from '#features/payments/earnings-rules.ts';
import { cashOutStep } from '#features/payments/payout-rules.ts';
import { useEarnings } from '#features/payments/use-earnings.ts';
import { payments as wallet } from '#messages/en/payments.ts';
import { payouts as words } from '#messages/en/payouts.ts';
import { deliveredToday } from '#package-ui/list-rules.ts';
import { BackButton } from '#ui/back-button.tsx';
import { Button } from '#ui/button.tsx';
import { Screen } from '#ui/screen.tsx';
import layout from '#ui/stack.module.css';
import { AddFunds } from './add-funds.tsx';

const shownAtFirst = 20;

function useCashTodayKobo(nowMs: number): number {
  const { id } = useSignedIn().userInfo;
  const own = usePackageViews()?.filter(({ courier }) => courier?.id === id) ?? [];
  return deliveredToday(own, nowMs).paidKobo.cash;
}

export function CourierPayment() {
  const payments = useEarnings();
  const { heard, balance, failure, isLoadingMore, reload, showMore } = payments;
  const nowMs = useNow();
  const cashKobo = useCashTodayKobo(nowMs);
  const { lastFailure } = useSyncStatus();
  const isOffline = payments.isOffline || isUnanswered(lastFailure);
  const [shown, setShown] = useState(shownAtFirst);
  const [sheet, setSheet] = useState<'cashOut' | 'account' | null>(null);
  const close = () => {
    setSheet(null);
    void reload();
  };
  const payouts = heard?.payouts ?? null;
  const entries = heard?.payments.entries ?? [];
  const more = async () => {
    if (shown >= entries.length && !(await showMore())) return false;
    setShown(shown + shownAtFirst);
    return true;
  };
  const available = heard?.payments.available ?? balance;
  return (
    <Screen
      title={wallet.payment.title}
      lead={<BackButton label={wallet.back} to="/" />}
      actions={
        payouts && (
          <CashOutAction
            payouts={payouts}
            isOffline={isOffline}
            onAdd={() => setSheet('account')}
            onCashOut={() => setSheet('cashOut')}
          />
        )
      }
    >
      <div className={layout.stack} data-wallet>
        {heard && <EarningsCard earnings={earningsOf(entries, nowMs)} />}
        <AvailableCard
          availableKobo={available === null ? null : nairaToKobo(available)}
          payments={heard?.payments ?? null}
          payouts={payouts?.payouts ?? []}
          cashKobo={cashKobo}
          asOf={heard && (failure || isOffline) ? updatedAt(heard.at, new Date(nowMs)) : null}
        />
      </div>
      <UnfinishedDeposit />
      <LoadState {...payments} />
      {payouts && <PayoutsCard payouts={payouts.payouts} />}
      {payouts?.account && (
        <BankAccountCard
          account={payouts.account}
          isOffline={isOffline}
          onChange={() => setSheet('account')}
        />
      )}
      {heard && (
        <History
          entries={entries.slice(0, shown)}
          hasMore={shown < entries.length || heard.payments.next !== null}
          isLoadingMore={isLoadingMore}
          onMore={more}
          isByDay
        />
      )}
      <AddFunds isOffline={isOffline} tone="quiet" />
      {sheet === 'account' && payouts && <BankAccountSheet payouts={payouts} onClose={close} />}
      {sheet === 'cashOut' && payouts?.account && (
        <CashOutSheet payouts={payouts} account={payouts.account} onClose={close} />
      )}
    </Screen>
  );
}

interface CashOutActionProps {
  payouts: Payouts;
  isOffline: boolean;
  onAdd(): void;
  onCashOut(): void;
}

/** What needs the network, or has to wait, says so before anything is filled in. */
function CashOutAction({ payouts, isOffline, onAdd, onCashOut }: CashOutActionProps) {
  const nowMs = useNow();
  const step = cashOutStep(payouts, { isOffline, nowMs });
  switch (step.kind) {
    case 'add':
      return (
        <Button tone="accent" onClick={onAdd}>
          <Landmark aria-hidden size={20} />
          {words.bar.add}
        </Button>
      );
    case 'ready':
      return (
        <Button tone="accent" onClick={onCashOut}>
          <Banknote aria-hidden size={20} />
          {words.bar.cashOut}
        </Button>
      );
    case 'offline':
      return <Waiting>{words.bar.offline}</Waiting>;
    case 'waits':
      return <Waiting>{words.bar.waits(step.when)}</Waiting>;
    case 'tooLittle':
      return <Waiting>{words.bar.tooLittle(formatNaira(step.minimumKobo))}</Waiting>;
  }
}

function Waiting({ children }: { children: string }) {
  return (
    <Button tone="quiet" disabled>
      {children}
    </Button>
  );
}
