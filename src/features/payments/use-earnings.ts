import { useSetAtom } from 'jotai';
import { useEffect } from 'react';
import { useSignedIn } from '#data/services.ts';
import { useKeptPayments } from '#data/use-kept-payments.ts';
import { serverNow } from '#data/use-now.ts';
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
  const { heard } = payments;
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
  return payments;
}
