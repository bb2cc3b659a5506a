import type { BankAccount } from '#contract/payout.ts';
import { useNow } from '#data/use-now.ts';
import css from '#features/payments/payments.module.css';
import { waitText } from '#features/payments/payout-rules.ts';
import { payouts as words } from '#messages/en/payouts.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import layout from '#ui/stack.module.css';

interface BankAccountCardProps {
  account: BankAccount;
  isOffline: boolean;
  onChange(): void;
}

export function BankAccountCard({ account, isOffline, onChange }: BankAccountCardProps) {
  const { bankName, accountName, accountNumberEnd, usableFrom } = account;
  const waits = waitText(usableFrom, useNow());
  return (
    <Card
      title={words.account.title}
      aside={
        <span className={css.stale}>
          <Button
            tone="plain"
            aria-label={words.account.changeLabel}
            disabled={isOffline}
            onClick={onChange}
          >
            {words.account.change}
          </Button>
        </span>
      }
    >
      <p dir="auto">{words.list.to(bankName, accountNumberEnd)}</p>
      <p className={layout.note} dir="auto">
        {accountName}
      </p>
      {waits !== null && <p className={layout.note}>{words.account.waits(waits)}</p>}
    </Card>
  );
}
