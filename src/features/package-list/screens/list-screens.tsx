import { useSetAtom } from 'jotai';
import { CircleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useLayoutEffect, useMemo } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import type { Area } from '#contract/area.ts';
import type { Role } from '#contract/user.ts';
import { useActor } from '#data/use-actor.ts';
import { useRefresh } from '#data/use-connection.ts';
import { serverNow } from '#data/use-now.ts';
import { useOperations } from '#data/use-outbox.ts';
import { useArePackagesWhole, usePackageViews } from '#data/use-packages.ts';
import { useOwnUser } from '#data/use-users.ts';
import { useWorkingArea } from '#data/use-working-area.ts';
import { factsOf } from '#domain/policy.ts';
import { isProfileComplete } from '#domain/user.ts';
import { isElsewhere } from '#domain/within-area.ts';
import { OffersArea } from '#features/package-list/components/offers-area.tsx';
import { PackageList } from '#features/package-list/components/package-list.tsx';
import { useListChoice } from '#features/package-list/hooks/use-list-choice.ts';
import { packages as words } from '#messages/en/packages.ts';
import {
  deliveriesTab,
  needsAll,
  othersOf,
  type SearchedTab,
  type TabName,
  trackingTab,
} from '#package-ui/list-rules.ts';
import { ProfileIncompleteCard } from '#package-ui/notices.tsx';
import {
  lastTabsAtom,
  noFilters,
  packageFiltersAtom,
  packageSearchAtom,
} from '#state/package-ui.ts';
import { buttonClass } from '#ui/button.tsx';
import { PullToRefresh, RefreshButton } from '#ui/pull-to-refresh.tsx';
import { Screen } from '#ui/screen.tsx';
import tabs from '#ui/tabs.module.css';
import { showError, showInfo } from '#ui/toast.tsx';

/** Undefined: not of this list, or not read yet; null: everywhere. */
function useOffersArea(tab: TabName): Area | null | undefined {
  const { role } = useActor();
  // Read after the rows.
  const isWhole = useArePackagesWhole();
  return useWorkingArea(isWhole && role === 'Employee' && tab === 'pending');
}

function useTab(
  rule: typeof deliveriesTab,
  tab: TabName,
  area?: Area | null,
): SearchedTab | undefined {
  const { id, role } = useActor();
  const all = usePackageViews();
  const isWhole = useArePackagesWhole();
  const isOwn = rule !== deliveriesTab;
  const { settled, reader } = useListChoice(tab, isOwn);
  const isReady = isWhole || !needsAll(tab, settled, reader);
  return useMemo(() => {
    if (all === undefined || !isReady) return undefined;
    // An offer elsewhere that was opened by its link is not listed.
    const listed = area
      ? all.filter((view) => !isElsewhere({ id }, area, factsOf(view), view.pickupLocation))
      : all;
    const viewer = { id, role };
    const contents = rule(listed, viewer, tab, serverNow());
    if (!isWhole && contents.views.length === 0) return undefined;
    return { ...contents, others: othersOf(listed, viewer, contents.views, isOwn) };
  }, [all, isWhole, isReady, area, id, role, rule, isOwn, tab]);
}

interface ListScreenProps {
  base: string;
  label: string;
  names: readonly TabName[];
  /** Not derivable from the address: the index route shows the pending tab. */
  tab: TabName;
  /** In the header, before the refresh. */
  aside?: ReactNode;
  children: ReactNode;
}

/** '?status=late' sets the filter, as choosing it does, and leaves the address. */
function useStatusOfAddress() {
  const [params, setParams] = useSearchParams();
  const setFilters = useSetAtom(packageFiltersAtom);
  const setQuery = useSetAtom(packageSearchAtom);
  const status = params.get('status');
  useLayoutEffect(() => {
    if (status === null) return;
    setFilters({ ...noFilters, status });
    setQuery('');
    setParams({}, { replace: true });
  }, [status, setFilters, setQuery, setParams]);
}

function ListScreen({ base, label, names, tab, aside, children }: ListScreenProps) {
  useStatusOfAddress();
  const setLastTabs = useSetAtom(lastTabsAtom);
  // A search from one tab would hide packages in the other.
  const setQuery = useSetAtom(packageSearchAtom);
  useEffect(() => {
    setLastTabs((before) => ({ ...before, [base]: `${base}/${tab}` }));
  }, [base, tab, setLastTabs]);
  const { isBusy, refresh } = useRefresh((isAnswered) => {
    if (isAnswered) showInfo(words.refreshed);
    else showError(words.refreshFailed);
  });
  return (
    <Screen
      title={label}
      aside={
        <>
          {aside}
          <RefreshButton label={words.refresh} isBusy={isBusy} onRefresh={refresh} />
        </>
      }
      tabs={
        <nav className={tabs.pills} aria-label={label}>
          {names.map((name) => (
            <Link
              key={name}
              className={tabs.pill}
              to={`${base}/${name}`}
              replace
              onClick={name === tab ? undefined : () => setQuery('')}
              aria-current={name === tab ? 'page' : undefined}
            >
              {words.tabs[name]}
            </Link>
          ))}
        </nav>
      }
    >
      <PullToRefresh onRefresh={refresh} />
      {children}
    </Screen>
  );
}

const twoTabs = ['pending', 'in-transit'] as const;
const allTabs = [...twoTabs, 'all'] as const;

/** A refused creation appears in no list, so the list links to it. */
function RefusedCreations() {
  const refused = (useOperations() ?? []).filter(
    ({ name, state }) => name === 'createPackage' && state === 'attention',
  );
  const [first] = refused;
  if (!first) return null;
  return (
    <Link className={buttonClass('danger', true)} to={`/outbox?about=${first.targetId}`}>
      <CircleAlert aria-hidden size={20} />
      {words.refusedCreations(refused.length)}
    </Link>
  );
}

/** Dispatchers neither send nor carry: they look for packages in the whole list. */
const seeAll = (
  <Link className={buttonClass()} to="/delivery/all" replace>
    {words.empty.seeAll}
  </Link>
);

interface TabProps<Name extends TabName> {
  tab: Name;
  /** Shown above the list to those it concerns. */
  invitation?: ReactNode;
  /** A desk may have a table instead. */
  List?: typeof PackageList;
}

export function TrackingScreen(props: TabProps<'pending' | 'in-transit'>) {
  const { tab, invitation, List = PackageList } = props;
  const contents = useTab(trackingTab, tab);
  const { role } = useActor();
  const isDispatcher = role === 'Admin';
  const wayOn = (
    <>
      {isDispatcher && seeAll}
      <Link className={buttonClass(isDispatcher ? 'quiet' : 'primary')} to="/new-package">
        {words.empty.send}
      </Link>
    </>
  );
  return (
    <ListScreen base="/tracking" label={words.tracking} names={twoTabs} tab={tab}>
      <RefusedCreations />
      {contents && contents.views.length > 0 && invitation}
      <List
        key={tab}
        tab={tab}
        isOwn
        contents={contents}
        hint={words.empty.ownText}
        wayOn={wayOn}
      />
    </ListScreen>
  );
}

/** Links for an empty delivery list: a sender's packages are under Tracking. */
function WayOn({ tab, role }: { tab: TabName; role: Role }) {
  if (role === 'Customer') {
    return (
      <Link className={buttonClass()} to="/tracking">
        {words.empty.toTracking}
      </Link>
    );
  }
  if (tab !== 'in-transit') return null;
  if (role === 'Admin') return seeAll;
  return (
    <Link className={buttonClass('quiet')} to="/delivery/pending" replace>
      {words.empty.seePending}
    </Link>
  );
}

export function DeliveriesScreen({ tab, invitation, List = PackageList }: TabProps<TabName>) {
  const area = useOffersArea(tab);
  const contents = useTab(deliveriesTab, tab, area);
  const self = useOwnUser();
  const { role } = useActor();
  const names = role === 'Admin' || tab === 'all' ? allTabs : twoTabs;
  const wayOn = <WayOn tab={tab} role={role} />;
  const hint = role === 'Customer' ? words.empty.sentText : words.empty.texts[tab];
  const aside = area !== undefined && <OffersArea area={area} />;
  return (
    <ListScreen base="/delivery" label={words.deliveries} names={names} tab={tab} aside={aside}>
      {self && !isProfileComplete(self) ? (
        <ProfileIncompleteCard user={self} />
      ) : (
        <>
          {contents && invitation}
          <List key={tab} tab={tab} contents={contents} hint={hint} wayOn={wayOn} />
        </>
      )}
    </ListScreen>
  );
}
