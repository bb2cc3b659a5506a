import { useState } from 'react';
import type { Operation, OperationOf } from '#domain/operation.ts';
import type { OperationName } from '#domain/operation-names.ts';
import { useOperations } from './use-outbox.ts';

/**
 * The refused operation that a form is to mend, as it was found: the form is not taken away from
 * under the person when it is decided on. Undefined while loading; null: there is none of this id
 * and name in need of attention (any more).
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
