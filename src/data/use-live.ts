import { useLiveQuery } from 'dexie-react-hooks';
import { useRef } from 'react';

/**
 * The live result of `query`; undefined while first loading. `subject` tags it, because
 * useLiveQuery keeps returning the previous subject's result until the new one is read. A failed
 * read keeps the last result until storage is reopened (db/resilient-database.ts).
 */
export function useLive<T>(subject: string, query: () => Promise<T>): T | undefined {
  const last = useRef<{ subject: string; result: T }>(undefined);
  const tagged = useLiveQuery(async () => {
    try {
      last.current = { subject, result: await query() };
    } catch {
      // Temporarily unreadable.
    }
    return last.current;
  }, [subject]);
  return tagged?.subject === subject ? tagged.result : undefined;
}
