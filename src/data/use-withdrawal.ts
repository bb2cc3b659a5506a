import { useCallback } from 'react';
import { isCancellable, type Operation } from '#domain/operation.ts';
import { useSignedIn } from './services.ts';

/**
 * Returns a function that cancels an operation, or null if it cannot be. It resolves with success
 * and rejects with NotSavedError.
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
