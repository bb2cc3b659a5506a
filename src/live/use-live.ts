import { useLiveQuery } from 'dexie-react-hooks';

/**
 * The result of `query`, again whenever what it read has changed; undefined while the first is
 * loading. `subject` names what is asked for: useLiveQuery goes on answering for the former subject
 * until the new one is read, which would show one package under another's address for a moment.
 */
export function useLive<T>(subject: string, query: () => Promise<T>): T | undefined {
  const tagged = useLiveQuery(async () => ({ subject, result: await query() }), [subject]);
  return tagged?.subject === subject ? tagged.result : undefined;
}
