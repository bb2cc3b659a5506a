import { useAtom } from 'jotai';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiFailure } from '#api/failure.ts';
import type { Payments } from '#contract/payment.ts';
import type { Failure } from '#domain/outcome.ts';
import { useSignedIn } from '#live/services.ts';
import { type HeardPayments, heardPaymentsAtom } from '#state/wallet.ts';
import { withNewest, withOlder } from './history-pages.ts';

const pageSize = 20;

const unreadable: Failure = { kind: 'malformed', status: 0, code: '', message: '' };

const failureOf = (error: unknown) => (error instanceof ApiFailure ? error.failure : unreadable);

/**
 * Balances and history: asked for at once, whenever somebody looks again, when the network is back,
 * and when `balance`, which the mirror keeps up to date, says that something has moved.
 */
export function usePayments(balance: number | null) {
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
        return { userId, payments: merge(shown), at: new Date().toISOString() };
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
      setFailure(failureOf(error));
    } finally {
      setIsLoading(false);
    }
  }, [api, hear]);

  /** Resolves to whether there is more to be seen. */
  const showMore = async (): Promise<boolean> => {
    const before = heard?.payments.next;
    if (!before || isLoadingMore) return false;
    setIsLoadingMore(true);
    try {
      const page = await api.listPayments({ before, limit: pageSize });
      hear((shown) => (shown ? withOlder(shown, page) : page));
      return true;
    } catch (error) {
      setFailure(failureOf(error));
      return false;
    } finally {
      setIsLoadingMore(false);
    }
  };

  useEffect(() => void reload(), [reload]);

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

  return { heard, failure, isLoading, isLoadingMore, reload, showMore };
}
