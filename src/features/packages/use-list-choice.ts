import { useAtom } from 'jotai';
import { useDeferredValue, useMemo } from 'react';
import { useActor } from '#live/use-actor.ts';
import {
  noFilters,
  packageFiltersAtom,
  packageSearchAtom,
  packageSortAtom,
} from '#state/package-ui.ts';
import { type Choice, choiceFor, type TabName } from './list-rules.ts';

/** What is looked for and how it is arranged; `settled` lags behind while somebody types. */
export function useListChoice(tab: TabName) {
  const [query, setQuery] = useAtom(packageSearchAtom);
  const [sort, setSort] = useAtom(packageSortAtom);
  const [filters, setFilters] = useAtom(packageFiltersAtom);
  const isCourier = useActor().role === 'Employee';
  const asked = useMemo(() => ({ query, sort, filters }), [query, sort, filters]);
  const deferred: Choice = useDeferredValue(asked);
  const settled = useMemo(() => choiceFor(tab, deferred, isCourier), [tab, deferred, isCourier]);
  return {
    query,
    setQuery,
    current: choiceFor(tab, asked, isCourier),
    isCourier,
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
