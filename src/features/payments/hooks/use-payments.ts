import { useAtom } from 'jotai';
import { useCallback, useEffect, useRef, useState } from 'react';
import { failureOf } from '#api/failure.ts';
import type { Payments } from '#contract/payment.ts';
import { useSignedIn } from '#data/services.ts';
import type { Failure } from '#domain/outcome.ts';
import { type HeardPayments, heardPaymentsAtom } from '#state/payment.ts';

/** Merges the newest page into the shown entries; older ones stay if the two overlap. */
export function withNewest(shown: Payments | null, newest: Payments): Payments {
  if (shown === null) return newest;
  const fresh = new Set(newest.entries.map(({ _id }) => _id));
  const older = shown.entries.filter(({ _id }) => !fresh.has(_id));
  const doMeet = older.length < shown.entries.length;
  if (!doMeet) return newest;
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

/** Reloads when the page becomes visible or online, and when the mirror's `balance` changes. */
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
      setFailure(failureOf(error) ?? unreadable);
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
