import { useAtom } from 'jotai';
import { useCallback, useEffect, useRef, useState } from 'react';
import { failureOf } from '#api/failure.ts';
import type { Payments } from '#contract/payment.ts';
import { useSignedIn } from '#data/services.ts';
import { useLastPulledAt } from '#data/use-connection.ts';
import { serverNowIso } from '#data/use-now.ts';
import { useMirroredUser } from '#data/use-users.ts';
import { type Failure, isUnanswered } from '#domain/outcome.ts';
import { withNewest, withOlder } from '#features/payments/payment-pages.ts';
import { payments as words } from '#messages/en/payments.ts';
import { type HeardPayments, heardPaymentsAtom } from '#state/payment.ts';
import { showError } from '#ui/toast.tsx';

type Api = ReturnType<typeof useSignedIn>['api'];
type Loaded = Pick<HeardPayments, 'payments' | 'payouts'>;

const pageSize = 20;

/** A page of the history. */
export const loadPage = async (api: Api): Promise<Loaded> => ({
  payments: await api.listPayments({ limit: pageSize }),
  payouts: null,
});

const unreadable: Failure = { kind: 'malformed', status: 0, code: '', message: '' };

export const loadFailureText = (failure: Failure): string =>
  isUnanswered(failure) ? words.needsNetwork : failure.message;

/**
 * Reloads when the page becomes visible or online, and when the mirror's balance changes. `load`
 * stays the same function.
 */
export function usePayments(load: (api: Api) => Promise<Loaded>) {
  const { api, userInfo } = useSignedIn();
  const { id: userId } = userInfo;
  const balance = useMirroredUser(userId)?.balance ?? null;
  const [kept, setKept] = useAtom(heardPaymentsAtom);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isLoading, setIsLoading] = useState(false);
  const [isLoadingMore, setIsLoadingMore] = useState(false);
  const isGone = useRef(false);
  const heard = kept?.userId === userId ? kept : null;

  const hear = useCallback(
    (merge: (shown: Payments | null) => Payments, payouts?: HeardPayments['payouts']) => {
      if (isGone.current) return;
      setFailure(null);
      setKept((before: HeardPayments | null) => {
        const own = before?.userId === userId ? before : null;
        return {
          userId,
          payments: merge(own?.payments ?? null),
          payouts: payouts === undefined ? (own?.payouts ?? null) : payouts,
          at: serverNowIso(),
        };
      });
    },
    [userId, setKept],
  );

  const reload = useCallback(async () => {
    setIsLoading(true);
    try {
      const { payments, payouts } = await load(api);
      hear((shown) => withNewest(shown, payments), payouts);
    } catch (error) {
      setFailure(failureOf(error) ?? unreadable);
    } finally {
      setIsLoading(false);
    }
  }, [api, hear, load]);

  const showMore = async (): Promise<boolean> => {
    const before = heard?.payments.next;
    if (!before || isLoadingMore) return false;
    setIsLoadingMore(true);
    try {
      const page = await api.listPayments({ before, limit: pageSize });
      hear((shown) => (shown ? withOlder(shown, page) : page));
      return true;
    } catch (error) {
      showError(loadFailureText(failureOf(error) ?? unreadable));
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

  return { heard, balance, failure, isOffline, isLoading, isLoadingMore, reload, showMore };
}
