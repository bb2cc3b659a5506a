import { useAtom } from 'jotai';
import { useDeferredValue, useMemo } from 'react';
import { useActor } from '#data/use-actor.ts';
import { choiceFor, type TabName } from '#package-ui/list-rules.ts';
import {
  noFilters,
  packageFiltersAtom,
  packageSearchAtom,
  packageSortAtom,
} from '#state/package-ui.ts';

/**
 * Search, order and filters; `settled` lags behind the words while the user types. Order and filters
 * apply immediately: a link to late packages must not show all of them first.
 */
export function useListChoice(tab: TabName, isOwn = false) {
  const [query, setQuery] = useAtom(packageSearchAtom);
  const [sort, setSort] = useAtom(packageSortAtom);
  const [filters, setFilters] = useAtom(packageFiltersAtom);
  const isCourier = useActor().role === 'Employee';
  const reader = useMemo(
    () => ({ isCourier, isOfOffers: isCourier && !isOwn }),
    [isCourier, isOwn],
  );
  const typed = useDeferredValue(query);
  const settled = useMemo(
    () => choiceFor(tab, { query: typed, sort, filters }, reader),
    [tab, typed, sort, filters, reader],
  );
  return {
    query,
    setQuery,
    current: choiceFor(tab, { query, sort, filters }, reader),
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
