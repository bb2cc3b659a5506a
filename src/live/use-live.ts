import { useLiveQuery } from 'dexie-react-hooks';
import { useRef } from 'react';

/**
 * The result of `query`, again whenever what it read has changed; undefined while the first is
 * loading. `subject` names what is asked for: useLiveQuery goes on answering for the former subject
 * until the new one is read, which would show one package under another's address for a moment.
 *
 * A read that fails leaves what was read before: a storage that is lost is opened again, and then
 * everything is read anew (db/kept-database.ts); what it says meanwhile is the connection line's.
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
