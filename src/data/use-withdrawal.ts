import { useCallback } from 'react';
import { isCancellable, type Operation } from '#domain/operation.ts';
import { useSignedIn } from './services.ts';

/**
 * What takes an operation back; null where it was or may have been sent, or something leans on it.
 * What it answers: whether it is back. Rejects with NotSavedError.
 */
export function useWithdrawal(): (operation: Operation) => (() => Promise<boolean>) | null {
  const { engine, packages } = useSignedIn();
  return useCallback(
    (operation) => {
      const operations = packages.state().operations ?? [];
      if (!isCancellable(operation, operations)) return null;
      return () => engine.cancel(operation.id);
    },
    [engine, packages],
  );
}
