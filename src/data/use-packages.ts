import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { type Failure, isUnanswered } from '#domain/outcome.ts';
import type { PackageView } from '#domain/overlay.ts';
import type { Package } from '#domain/package.ts';
import type { StoreState } from './package-store.ts';
import { useSignedIn } from './services.ts';
import { useSyncStatus } from './use-connection.ts';

export function useStoreState(): StoreState {
  const { packages } = useSignedIn();
  return useSyncExternalStore(packages.subscribe, packages.state);
}

/**
 * Every package that the signed-in user can see, pending operations laid over; undefined while
 * loading. Right after the start only the newest, see `useArePackagesWhole`.
 */
export function usePackageViews(): readonly PackageView[] | undefined {
  const { packages } = useSignedIn();
  return useSyncExternalStore(packages.subscribe, () => packages.state().views);
}

/** False while all but the newest packages are being read: what is missing may yet come. */
export function useArePackagesWhole(): boolean {
  const { packages } = useSignedIn();
  return useSyncExternalStore(packages.subscribe, () => packages.state().isWhole);
}

/** Nothing could be read from the phone's storage so far, and it is being tried again. */
export function useIsStorageSilent(): boolean {
  const { views, failure } = useStoreState();
  return views === undefined && failure !== null;
}

/** One package; undefined while loading, null: there is none to show. */
export function usePackageView(id: string): PackageView | null | undefined {
  const { packages } = useSignedIn();
  useEffect(() => packages.look(id), [packages, id]);
  return useSyncExternalStore(packages.subscribe, () => packages.view(id));
}

/**
 * Asks the server for a package that is not on this phone, as soon as it can be reached. `failure`:
 * what its call met, null: it came, undefined: no answer yet.
 */
export function useSoughtPackage(id: string): {
  failure: Failure | null | undefined;
  again(): void;
} {
  const { engine } = useSignedIn();
  const { lastFailure } = useSyncStatus();
  const [tries, setTries] = useState(0);
  const [answer, setAnswer] = useState<{ id: string; failure: Failure | null }>();
  const isUnreached = isUnanswered(lastFailure);
  // What changed on the way may change the answer.
  const isWell = lastFailure === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: they are when, not what.
  useEffect(() => {
    if (isUnreached) return;
    let isGone = false;
    const take = (failure: Failure | null) => isGone || setAnswer({ id, failure });
    engine.seek(id).then(take, () => undefined);
    return () => {
      isGone = true;
    };
  }, [engine, id, isUnreached, isWell, tries]);
  return {
    failure: answer?.id === id ? answer.failure : undefined,
    again: () => setTries((count) => count + 1),
  };
}

/** The server's last word on these packages, by id, nothing laid over; undefined while loading. */
export function useMirroredPackages(ids: readonly string[]): Map<string, Package> | undefined {
  const { packages } = useSignedIn();
  const state = useStoreState();
  const key = JSON.stringify([...new Set(ids)].sort());
  useEffect(() => {
    for (const id of JSON.parse(key)) packages.look(id);
  }, [packages, key]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows are the store's, as of its state.
  return useMemo(() => {
    const rows = new Map<string, Package>();
    for (const id of JSON.parse(key)) {
      const row = packages.row(id);
      if (row === undefined) return undefined;
      if (row) rows.set(id, row);
    }
    return rows;
  }, [packages, key, state]);
}
