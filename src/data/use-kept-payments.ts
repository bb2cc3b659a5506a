/** What a courier's phone last heard of their money. */
import { useMemo } from 'react';
import { keepPayments, readKeptPayments } from '#db/kept-payments.ts';
import { useSignedIn } from './services.ts';

/** Storage that fails only leaves an offline phone without it. */
export function useKeptPayments() {
  const { db } = useSignedIn();
  return useMemo(
    () => ({
      read: (): Promise<string | null> => readKeptPayments(db).catch(() => null),
      keep: (text: string) => void keepPayments(db, text).catch(() => undefined),
    }),
    [db],
  );
}
