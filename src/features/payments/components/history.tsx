import {
  ArrowDownLeft,
  ArrowUpRight,
  Landmark,
  Lock,
  type LucideIcon,
  Scale,
  Undo2,
  Wallet,
} from 'lucide-react';
import { type RefObject, useState } from 'react';
import { Link } from 'react-router-dom';
import type { PaymentEntry, TransferKind } from '#contract/payment.ts';
import { useNow } from '#data/use-now.ts';
import { timeText, whenText } from '#domain/dates.ts';
import { formatNaira, nairaToKobo } from '#domain/money.ts';
import { byDay } from '#features/payments/earnings-rules.ts';
import css from '#features/payments/payments.module.css';
import { payments as words } from '#messages/en/payments.ts';
import { Button } from '#ui/button.tsx';
import { Card, Notice } from '#ui/card.tsx';
import { useFocusOn } from '#ui/focus-guard.ts';
import layout from '#ui/stack.module.css';

const icons: Record<TransferKind, LucideIcon> = {
  top_up: ArrowDownLeft,
  hold: Lock,
  release: ArrowUpRight,
  refund: Undo2,
  adjustment: Scale,
  payout: Landmark,
  payout_returned: Undo2,
};

function signed(naira: number): string {
  const kobo = nairaToKobo(naira);
  return `${kobo > 0 ? '+' : ''}${formatNaira(kobo)}`;
}

/** A refund is called one whatever its cause. */
function nameOf({ kind, amount, cause }: PaymentEntry): string {
  if (kind === 'release' && cause) return words.history.causes[cause];
  if (kind === 'release' && amount > 0) return words.history.earning;
  return words.history.kinds[kind];
}

interface EntryProps {
  entry: PaymentEntry;
  /** Below the name of its day. */
  isOfDay: boolean;
  focused: RefObject<HTMLLIElement | null> | undefined;
}

function Entry({ entry, isOfDay, focused }: EntryProps) {
  const nowMs = useNow();
  // A sender's delivery is paid from the hold: the available balance dropped earlier.
  const isFromHold = entry.amount === 0;
  const isEarning = entry.kind === 'release' && entry.amount > 0;
  const Icon = isEarning ? ArrowDownLeft : icons[entry.kind];
  const { kind, note } = entry;
  const balance = formatNaira(nairaToKobo(entry.balance));
  return (
    <li className={css.entry} ref={focused} tabIndex={focused ? -1 : undefined}>
      <span className={`${layout.tile} ${layout.round} ${layout.neutral} ${css.icon}`}>
        <Icon aria-hidden size={20} />
      </span>
      <p className={css.what}>{nameOf(entry)}</p>
      <p
        className={css.amount}
        data-moved={isFromHold ? 'within' : entry.amount > 0 ? 'in' : 'out'}
      >
        {isFromHold ? formatNaira(Math.abs(nairaToKobo(entry.heldAmount))) : signed(entry.amount)}
      </p>
      <div className={`${layout.row} ${layout.note} ${css.details} ${css.more} ${css.line}`}>
        <p>
          {isOfDay
            ? timeText(entry.createdAt, Date.parse(entry.createdAt))
            : whenText(entry.createdAt, nowMs)}
        </p>
        {entry.package && (
          <Link
            className={css.link}
            to={`/package-detail/${entry.package._id}`}
            aria-label={words.history.package(entry.package.packageId)}
          >
            {entry.package.packageId}
          </Link>
        )}
        <p className={css.after}>
          {isFromHold
            ? words.history[entry.heldAmount > 0 ? 'toHold' : 'fromHold']
            : words.history.balance(balance)}
        </p>
      </div>
      {note !== null && kind !== 'top_up' && (
        <p className={`${layout.note} ${css.details} ${css.more}`}>{note}</p>
      )}
      {note !== null && kind === 'top_up' && (
        <details className={`${layout.note} ${css.details} ${css.more}`}>
          <summary>{words.history.reference}</summary>
          {note}
        </details>
      )}
    </li>
  );
}

interface HistoryProps {
  entries: readonly PaymentEntry[];
  hasMore: boolean;
  isLoadingMore: boolean;
  onMore(): Promise<boolean>;
  /** Under headings, with what was earned. */
  isByDay?: boolean;
}

/** Newest first, in pages; focuses the first of the newly loaded entries. */
export function History(props: HistoryProps) {
  const { entries, hasMore, isLoadingMore, onMore, isByDay = false } = props;
  const nowMs = useNow();
  const [firstNew, setFirstNew] = useState<number | null>(null);
  const focused = useFocusOn<HTMLLIElement>(firstNew);
  const showMore = async () => {
    const count = entries.length;
    if (await onMore()) setFirstNew(count);
  };
  const focusedId = firstNew === null ? undefined : entries[firstNew]?._id;
  const listOf = (shown: readonly PaymentEntry[]) => (
    <ul>
      {shown.map((entry) => (
        <Entry
          key={entry._id}
          entry={entry}
          isOfDay={isByDay}
          focused={entry._id === focusedId ? focused : undefined}
        />
      ))}
    </ul>
  );
  return (
    <Card title={words.history.title}>
      {entries.length === 0 && (
        <Notice
          icon={<Wallet aria-hidden size={40} />}
          title={words.history.empty}
          text={words.history.emptyText}
        />
      )}
      {isByDay
        ? byDay(entries, nowMs).map(({ day, title, earnedKobo, entries: ofDay }) => (
            <div key={day}>
              <h3 className={layout.spread}>
                {title}
                {earnedKobo !== 0 && (
                  <span className={layout.note}>
                    {words.history.ofDay(formatNaira(earnedKobo))}
                  </span>
                )}
              </h3>
              {listOf(ofDay)}
            </div>
          ))
        : listOf(entries)}
      {hasMore && (
        <Button tone="quiet" isBusy={isLoadingMore} onClick={() => void showMore()}>
          {isLoadingMore ? words.history.loadingMore : words.history.more}
        </Button>
      )}
    </Card>
  );
}
