import { useSetAtom } from 'jotai';
import { useEffect, useRef } from 'react';
import { useSignedIn } from '#data/services.ts';
import { useKeptPayments } from '#data/use-kept-payments.ts';
import { serverNow, useNow } from '#data/use-now.ts';
import { coverWeek } from '#features/payments/earnings-rules.ts';
import { heardFromText, withOlder } from '#features/payments/payment-pages.ts';
import { usePayments } from '#features/payments/use-payments.ts';
import { heardPaymentsAtom } from '#state/payment.ts';

type Load = Parameters<typeof usePayments>[0];

const pageSize = 100;

/** All entries of this week, whose sums would be wrong without some. */
const loadWeek: Load = async (api) => {
  const [payouts, newest] = await Promise.all([
    api.listPayouts(),
    api.listPayments({ limit: pageSize }),
  ]);
  let payments = newest;
  while (payments.next !== null && !coverWeek(payments.entries, serverNow())) {
    const page = await api.listPayments({ before: payments.next, limit: pageSize });
    payments = withOlder(payments, page);
  }
  return { payments, payouts };
};

/** As `usePayments`; a courier's are stored for when there is no network. */
export function useEarnings() {
  const { id: userId } = useSignedIn().userInfo;
  const payments = usePayments(loadWeek);
  const { heard, reload } = payments;
  const { read, keep } = useKeptPayments();
  const setHeard = useSetAtom(heardPaymentsAtom);
  useEffect(() => {
    void read().then((text) => {
      const kept = heardFromText(text);
      if (kept?.userId !== userId) return;
      setHeard((before) => (before?.userId === userId ? before : kept));
    });
  }, [userId, read, setHeard]);
  useEffect(() => {
    if (heard) keep(JSON.stringify(heard));
  }, [heard, keep]);

  // That a payout has arrived changes no balance, so nothing else tells.
  const isWaiting = heard?.payouts?.payouts.some(({ status }) => status === 'pending') ?? false;
  const nowMs = useNow();
  const lastMs = useRef(nowMs);
  useEffect(() => {
    if (lastMs.current === nowMs) return;
    lastMs.current = nowMs;
    if (isWaiting && document.visibilityState === 'visible') void reload();
  }, [nowMs, isWaiting, reload]);
  return payments;
}
