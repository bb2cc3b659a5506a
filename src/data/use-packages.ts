import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { type Failure, isUnanswered } from '#domain/outcome.ts';
import type { PackageView } from '#domain/overlay.ts';
import type { Package } from '#domain/package.ts';
import type { StoreState } from './package-store.ts';
import { useSignedIn } from './services.ts';
import { useSyncStatus } from './use-connection.ts';

/** The part of the store that `pick` selects; must be the same object until it changes. */
export function usePackageStore<T>(pick: (state: StoreState) => T): T {
  const { packages } = useSignedIn();
  return useSyncExternalStore(packages.subscribe, () => pick(packages.state()));
}

/** All visible packages; undefined while loading. First only the newest (`useArePackagesWhole`). */
export const usePackageViews = (): readonly PackageView[] | undefined =>
  usePackageStore(({ views }) => views);

/** False while only the newest packages are loaded. */
export const useArePackagesWhole = (): boolean => usePackageStore(({ isWhole }) => isWhole);

/** The storage could not be read yet and is being retried. */
export const useIsStorageSilent = (): boolean =>
  usePackageStore(({ views, failure }) => views === undefined && failure !== null);

/** Undefined while loading; null: nothing to show. */
export function usePackageView(id: string): PackageView | null | undefined {
  const { packages } = useSignedIn();
  useEffect(() => packages.look(id), [packages, id]);
  return useSyncExternalStore(packages.subscribe, () => packages.view(id));
}

/** Requests a package missing here. `failure`: null: it arrived; undefined: no answer yet. */
export function useSoughtPackage(id: string): {
  failure: Failure | null | undefined;
  again(): void;
} {
  const { engine } = useSignedIn();
  const { lastFailure } = useSyncStatus();
  const [tries, setTries] = useState(0);
  const [answer, setAnswer] = useState<{ id: string; failure: Failure | null }>();
  const isUnreached = isUnanswered(lastFailure);
  // A changed connection may change the answer.
  const isWell = lastFailure === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of these triggers the read.
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

/** The mirrored rows by id, without pending operations; undefined while loading. */
export function useMirroredPackages(ids: readonly string[]): Map<string, Package> | undefined {
  const { packages } = useSignedIn();
  const state = usePackageStore((whole) => whole);
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
