import { useAtom } from 'jotai';
import { useDeferredValue, useMemo } from 'react';
import { useActor } from '#data/use-actor.ts';
import { type Choice, choiceFor, type TabName } from '#features/packages/list-rules.ts';
import {
  noFilters,
  packageFiltersAtom,
  packageSearchAtom,
  packageSortAtom,
} from '#state/package-ui.ts';

/** Search, order and filters; `settled` is the deferred value while the user types. */
export function useListChoice(tab: TabName, isOwn = false) {
  const [query, setQuery] = useAtom(packageSearchAtom);
  const [sort, setSort] = useAtom(packageSortAtom);
  const [filters, setFilters] = useAtom(packageFiltersAtom);
  const isCourier = useActor().role === 'Employee';
  const reader = useMemo(
    () => ({ isCourier, isOfOffers: isCourier && !isOwn }),
    [isCourier, isOwn],
  );
  const asked = useMemo(() => ({ query, sort, filters }), [query, sort, filters]);
  const deferred: Choice = useDeferredValue(asked);
  const settled = useMemo(() => choiceFor(tab, deferred, reader), [tab, deferred, reader]);
  return {
    query,
    setQuery,
    current: choiceFor(tab, asked, reader),
    reader,
    settled,
    setSort,
    setFilter: (change: Partial<typeof filters>) => setFilters({ ...filters, ...change }),
    clear: () => {
      setQuery('');
      setSort('');
      setFilters(noFilters);
    },
  };
}

export type ListChoice = ReturnType<typeof useListChoice>;
