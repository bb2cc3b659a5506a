import { useLiveQuery } from 'dexie-react-hooks';
import { useRef } from 'react';

/**
 * The result of `query`, again whenever what it read has changed; undefined while the first is
 * loading. `subject` names what is asked for: useLiveQuery goes on answering for the former subject
 * until the new one is read, which would show one package under another's address for a moment.
 *
 * A failed read keeps the last result: a lost storage is opened again, and then every query reads again
 * (db/resilient-database.ts). The storage line shows the fault.
 */
export function useLive<T>(subject: string, query: () => Promise<T>): T | undefined {
  const last = useRef<{ subject: string; result: T }>(undefined);
  const tagged = useLiveQuery(async () => {
    try {
      last.current = { subject, result: await query() };
    } catch {
      // Nothing to read from just now.
    }
    return last.current;
  }, [subject]);
  return tagged?.subject === subject ? tagged.result : undefined;
}
