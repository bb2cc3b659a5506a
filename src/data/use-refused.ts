import { useState } from 'react';
import type { Operation, OperationOf } from '#domain/operation.ts';
import type { OperationName } from '#domain/operation-names.ts';
import { useOperations } from './use-outbox.ts';

/**
 * The refused operation that a form corrects, kept as found even if it is resolved elsewhere.
 * Undefined while loading; null: none in `attention`.
 */
export function useRefused<Name extends OperationName>(
  name: Name,
  id: string,
): OperationOf<Name> | null | undefined {
  const [found, setFound] = useState<Operation | null>(null);
  const operations = useOperations();
  if (found?.id === id) return found as OperationOf<Name>;
  if (operations === undefined) return undefined;
  const now = operations.find((operation) => operation.id === id);
  if (now?.name !== name || now.state !== 'attention') return null;
  setFound(now);
  return now as OperationOf<Name>;
}
