import { CircleCheck, Clock, type LucideIcon, Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { Payout, PayoutStatus } from '#contract/payout.ts';
import { useNow } from '#data/use-now.ts';
import { whenText } from '#domain/dates.ts';
import { formatNaira, nairaToKobo } from '#domain/money.ts';
import css from '#features/payments/payments.module.css';
import { stateText } from '#features/payments/payout-rules.ts';
import { payouts as words } from '#messages/en/payouts.ts';
import { Badge, type BadgeTone } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import layout from '#ui/stack.module.css';

const looks: Record<PayoutStatus, { tone: BadgeTone; Icon: LucideIcon }> = {
  pending: { tone: 'neutral', Icon: Clock },
  paid: { tone: 'good', Icon: CircleCheck },
  returned: { tone: 'warn', Icon: Undo2 },
};

const fewest = 3;

/** Newest first. */
export function PayoutsCard({ payouts }: { payouts: readonly Payout[] }) {
  const [isWhole, setIsWhole] = useState(false);
  if (payouts.length === 0) return null;
  return (
    <Card title={words.list.title}>
      <ul>
        {payouts.slice(0, isWhole ? undefined : fewest).map((payout) => (
          <PayoutRow key={payout._id} payout={payout} />
        ))}
      </ul>
      {!isWhole && payouts.length > fewest && (
        <Button tone="quiet" onClick={() => setIsWhole(true)}>
          {words.list.more}
        </Button>
      )}
    </Card>
  );
}

function PayoutRow({ payout }: { payout: Payout }) {
  const nowMs = useNow();
  const { tone, Icon } = looks[payout.status];
  const more = stateText(payout, nowMs);
  return (
    <li className={css.payout}>
      <div className={layout.spread}>
        <strong>{formatNaira(nairaToKobo(payout.amount))}</strong>
        <Badge tone={tone} icon={<Icon aria-hidden size={16} />}>
          {words.list.statuses[payout.status]}
        </Badge>
      </div>
      <p className={layout.note} dir="auto">
        {words.list.to(payout.bankName, payout.accountNumberEnd)}
      </p>
      <p className={`${layout.facts} ${layout.note}`}>
        <span>{whenText(payout.endedAt ?? payout.createdAt, nowMs)}</span>
        <span>{words.list.fee(formatNaira(nairaToKobo(payout.fee)))}</span>
      </p>
      {more !== null && <p>{more}</p>}
    </li>
  );
}
