import { useAtom } from 'jotai';
import { CloudOff, Plus } from 'lucide-react';
import { useCallback, useEffect, useId, useRef, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { failureOf } from '#api/failure.ts';
import type { Payments } from '#contract/payment.ts';
import { useSignedIn } from '#data/services.ts';
import { useActor } from '#data/use-actor.ts';
import { useLastPulledAt, useSyncStatus } from '#data/use-connection.ts';
import { serverNowIso } from '#data/use-now.ts';
import { useMirroredUser } from '#data/use-users.ts';
import { formatDate } from '#domain/dates.ts';
import { formatNaira, nairaToKobo } from '#domain/money.ts';
import { type Failure, isUnanswered } from '#domain/outcome.ts';
import { History } from '#features/payments/components/history.tsx';
import css from '#features/payments/payments.module.css';
import { payments as words } from '#messages/en/payments.ts';
import { type HeardPayments, heardPaymentsAtom, readPendingPayment } from '#state/payment.ts';
import { BackButton } from '#ui/back-button.tsx';
import { Button, buttonClass } from '#ui/button.tsx';
import { Card, Notice, Skeletons } from '#ui/card.tsx';
import { Screen } from '#ui/screen.tsx';
import layout from '#ui/stack.module.css';
import { showError, showSuccess } from '#ui/toast.tsx';

/** Merges the newest page into the shown entries; older ones stay if the two overlap. */
export function withNewest(shown: Payments | null, newest: Payments): Payments {
  if (shown === null) return newest;
  const fresh = new Set(newest.entries.map(({ _id }) => _id));
  const older = shown.entries.filter(({ _id }) => !fresh.has(_id));
  const isOverlapping = older.length < shown.entries.length;
  if (!isOverlapping) return newest;
  const isLonger = older.length > 0;
  return {
    ...newest,
    entries: [...newest.entries, ...older],
    next: isLonger ? shown.next : newest.next,
  };
}

/** Appends the next page; balances are those of the later answer. */
export function withOlder(shown: Payments, page: Payments): Payments {
  const known = new Set(shown.entries.map(({ _id }) => _id));
  const older = page.entries.filter(({ _id }) => !known.has(_id));
  return { ...page, entries: [...shown.entries, ...older] };
}

const pageSize = 20;

const unreadable: Failure = { kind: 'malformed', status: 0, code: '', message: '' };

const reasonOf = (failure: Failure): string =>
  isUnanswered(failure) ? words.needsNetwork : failure.message;

/** Reloads when the page becomes visible or online, and when the mirror's `balance` changes. */
function usePayments(balance: number | null) {
  const { api, userInfo } = useSignedIn();
  const { id: userId } = userInfo;
  const [kept, setKept] = useAtom(heardPaymentsAtom);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isLoading, setIsLoading] = useState(false);
  const [isLoadingMore, setIsLoadingMore] = useState(false);
  const isGone = useRef(false);
  const heard = kept?.userId === userId ? kept : null;

  const hear = useCallback(
    (merge: (shown: Payments | null) => Payments) => {
      if (isGone.current) return;
      setFailure(null);
      setKept((before: HeardPayments | null) => {
        const shown = before?.userId === userId ? before.payments : null;
        return { userId, payments: merge(shown), at: serverNowIso() };
      });
    },
    [userId, setKept],
  );

  const reload = useCallback(async () => {
    setIsLoading(true);
    try {
      const newest = await api.listPayments({ limit: pageSize });
      hear((shown) => withNewest(shown, newest));
    } catch (error) {
      setFailure(failureOf(error) ?? unreadable);
    } finally {
      setIsLoading(false);
    }
  }, [api, hear]);

  const showMore = async (): Promise<boolean> => {
    const before = heard?.payments.next;
    if (!before || isLoadingMore) return false;
    setIsLoadingMore(true);
    try {
      const page = await api.listPayments({ before, limit: pageSize });
      hear((shown) => (shown ? withOlder(shown, page) : page));
      return true;
    } catch (error) {
      showError(reasonOf(failureOf(error) ?? unreadable));
      return false;
    } finally {
      setIsLoadingMore(false);
    }
  };

  useEffect(() => void reload(), [reload]);

  // The connection's line says so, and its refresh is for this as well.
  const isOffline = isUnanswered(failure);
  const pulledAt = useLastPulledAt();
  // biome-ignore lint/correctness/useExhaustiveDependencies: as the server answers again.
  useEffect(() => {
    if (isOffline) void reload();
  }, [pulledAt]);

  const lastBalance = useRef(balance);
  useEffect(() => {
    const before = lastBalance.current;
    lastBalance.current = balance;
    if (before !== null && balance !== null && before !== balance) void reload();
  }, [reload, balance]);

  useEffect(() => {
    isGone.current = false;
    const stopping = new AbortController();
    const { signal } = stopping;
    const look = () => {
      if (document.visibilityState === 'visible') void reload();
    };
    document.addEventListener('visibilitychange', look, { signal });
    window.addEventListener('online', look, { signal });
    return () => {
      isGone.current = true;
      stopping.abort();
    };
  }, [reload]);

  return { heard, failure, isOffline, isLoading, isLoadingMore, reload, showMore };
}

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
  const { role } = useActor();
  const mirrored = useMirroredUser(userInfo.id)?.balance ?? null;
  const { heard, failure, isOffline, isLoading, isLoadingMore, reload, showMore } =
    usePayments(mirrored);
  const pending = readPendingPayment(null);
  const isFirst = heard === null && failure === null;
  const { lastFailure } = useSyncStatus();
  // By the connection's line.
  const isTold = isOffline && (!navigator.onLine || isUnanswered(lastFailure));
  const again = (
    <Button tone={heard ? 'plain' : 'primary'} isBusy={isLoading} onClick={() => void reload()}>
      {isLoading ? words.payment.trying : words.payment.tryAgain}
    </Button>
  );
  return (
    <Screen title={words.payment.title} lead={<BackButton label={words.back} to="/" />}>
      <div className={`${layout.stack} ${css.top}`} data-wallet>
        <WalletCard heard={heard} mirrored={mirrored} isStale={failure !== null} />
        {isOffline ? (
          <Button tone="quiet" disabled>
            {words.payment.addFundsOnline}
          </Button>
        ) : (
          // Couriers look for their earnings.
          <Link className={buttonClass(role === 'Employee' ? 'quiet' : 'accent')} to="/deposit">
            <Plus aria-hidden size={20} />
            {words.payment.addFunds}
          </Link>
        )}
      </div>
      {pending && (
        <Card title={words.payment.unfinishedTitle}>
          <p>{words.payment.unfinishedText}</p>
          <Link className={buttonClass('quiet')} to="/deposit">
            {words.payment.check}
          </Link>
        </Card>
      )}
      {failure && !(heard && isTold) && (
        <div role="status">
          {heard ? (
            // The history that is known stays in sight.
            <div className={`${layout.row} ${css.stale}`}>
              <p>
                <strong>{words.payment.refreshFailed}</strong> {reasonOf(failure)}
              </p>
              {again}
            </div>
          ) : (
            <Notice
              icon={<CloudOff aria-hidden size={40} />}
              title={words.payment.loadFailed}
              text={reasonOf(failure)}
            >
              {again}
            </Notice>
          )}
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

const naira = (amount: number) => formatNaira(nairaToKobo(amount));

interface PartProps {
  label: string;
  amount: number;
  hint: string;
}

function Part({ label, amount, hint }: PartProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{naira(amount)}</dd>
      <dd className={css.hint}>{hint}</dd>
    </div>
  );
}

interface WalletCardProps {
  heard: HeardPayments | null;
  /** The mirror's available balance in naira; null: unknown. */
  mirrored: number | null;
  /** The data is not current: show its time. */
  isStale: boolean;
}

function WalletCard({ heard, mirrored, isStale }: WalletCardProps) {
  const id = useId();
  const { role } = useActor();
  const lastPulledAt = useLastPulledAt() ?? null;
  const payments = heard?.payments ?? null;
  const available = payments?.available ?? mirrored;
  const at = heard?.at ?? lastPulledAt;
  const showsEarnings = role === 'Employee' || (payments?.earned ?? 0) > 0;
  return (
    <section className={`${layout.stack} ${css.wallet}`} aria-labelledby={id}>
      <div>
        <h2 id={id}>{words.payment.available}</h2>
        <p className={css.big}>
          {available === null ? words.payment.neverHeard : naira(available)}
        </p>
        {role === 'Employee' && <p className={css.asOf}>{words.payment.payout}</p>}
        {isStale && available !== null && at && (
          <p className={css.asOf}>{words.payment.asOf(formatDate(at, ''))}</p>
        )}
      </div>
      {payments && (
        <dl className={`${layout.grid} ${css.parts}`}>
          {showsEarnings && (
            <Part
              label={words.payment.earned}
              amount={payments.earned}
              hint={words.payment.earnedHint}
            />
          )}
          <Part label={words.payment.held} amount={payments.held} hint={words.payment.heldHint} />
          {payments.onItsWay > 0 && (
            <Part
              label={words.payment.onItsWay}
              amount={payments.onItsWay}
              hint={words.payment.onItsWayHint}
            />
          )}
        </dl>
      )}
    </section>
  );
}
