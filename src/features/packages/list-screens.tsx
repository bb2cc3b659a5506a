import { type ReactNode, useMemo } from 'react';
import { Link } from 'react-router-dom';
import { isProfileComplete } from '#domain/user.ts';
import { useSignedIn } from '#live/services.ts';
import { useActor } from '#live/use-actor.ts';
import { useArePackagesWhole, usePackageViews } from '#live/use-packages.ts';
import { useRefresh } from '#live/use-refresh.ts';
import { useOwnUser } from '#live/use-users.ts';
import { buttonClass } from '#ui/button.tsx';
import { PullToRefresh, RefreshButton } from '#ui/pull-to-refresh.tsx';
import { Screen } from '#ui/screen.tsx';
import tabs from '#ui/tabs.module.css';
import { showError, showInfo } from '#ui/toast.tsx';
import {
  countChosen,
  deliveriesTab,
  isNarrowed,
  type TabContents,
  type TabName,
  trackingTab,
} from './list-rules.ts';
import { PackageList } from './package-list.tsx';
import { ProfileIncompleteCard } from './profile-incomplete-card.tsx';
import { RefusedCreations } from './refused-creations.tsx';
import { useListChoice } from './use-list-choice.ts';
import { words } from './words.ts';

const tabLabels = {
  pending: words.tabs.pending,
  'in-transit': words.tabs.inTransit,
  all: words.tabs.all,
} satisfies Record<TabName, string>;

interface StatusTabsProps {
  base: string;
  label: string;
  names: readonly TabName[];
  /** The index shows the pending tab, so the address alone does not tell. */
  current: TabName;
}

function StatusTabs({ base, label, names, current }: StatusTabsProps) {
  return (
    <nav className={tabs.pills} aria-label={label}>
      {names.map((name) => (
        <Link
          key={name}
          className={tabs.pill}
          to={`${base}/${name}`}
          replace
          aria-current={name === current ? 'page' : undefined}
        >
          {tabLabels[name]}
        </Link>
      ))}
    </nav>
  );
}

function useTab(rule: typeof trackingTab, tab: TabName): TabContents | undefined {
  const { userInfo } = useSignedIn();
  const all = usePackageViews();
  const isWhole = useArePackagesWhole();
  const { settled } = useListChoice(tab);
  // The newest are read first, which tells nothing of another order, nor of what is looked for.
  const needsAll = tab === 'in-transit' || isNarrowed(settled) || countChosen(settled) > 0;
  return useMemo(() => {
    if (all === undefined || (!isWhole && needsAll)) return undefined;
    const contents = rule(all, userInfo.id, tab);
    return isWhole || contents.views.length > 0 ? contents : undefined;
  }, [all, isWhole, needsAll, userInfo.id, rule, tab]);
}

interface ListScreenProps extends StatusTabsProps {
  children: ReactNode;
}

function ListScreen({ children, ...props }: ListScreenProps) {
  const { isBusy, refresh } = useRefresh((isAnswered) => {
    if (isAnswered) showInfo(words.refreshed);
    else showError(words.refreshFailed);
  });
  return (
    <Screen
      title={props.label}
      aside={<RefreshButton label={words.refresh} isBusy={isBusy} onRefresh={refresh} />}
      tabs={<StatusTabs {...props} />}
    >
      <PullToRefresh onRefresh={refresh} />
      {children}
    </Screen>
  );
}

const twoTabs = ['pending', 'in-transit'] as const;
const allTabs = [...twoTabs, 'all'] as const;

/** What the user has sent. */
export function TrackingScreen({
  tab,
  invitation,
}: {
  tab: 'pending' | 'in-transit';
  /** Over the list, once there is something in it. */
  invitation?: ReactNode;
}) {
  const contents = useTab(trackingTab, tab);
  return (
    <ListScreen base="/tracking" label={words.tracking} names={twoTabs} current={tab}>
      <RefusedCreations />
      {contents && contents.views.length > 0 && invitation}
      <PackageList
        key={tab}
        tab={tab}
        contents={contents}
        wayOn={
          <Link className={buttonClass()} to="/new-package">
            {words.empty.send}
          </Link>
        }
      />
    </ListScreen>
  );
}

/** What there is to carry, and what the user carries; for a dispatcher, everything. */
export function DeliveriesScreen({
  tab,
  invitation,
}: {
  tab: TabName;
  /** Over the list, for who may take something from it. */
  invitation?: ReactNode;
}) {
  const contents = useTab(deliveriesTab, tab);
  const self = useOwnUser();
  const isAdmin = useActor().role === 'Admin';
  return (
    <ListScreen
      base="/delivery"
      label={words.deliveries}
      names={isAdmin || tab === 'all' ? allTabs : twoTabs}
      current={tab}
    >
      {self && !isProfileComplete(self) ? (
        <ProfileIncompleteCard userId={self.id} />
      ) : (
        <>
          {contents && invitation}
          <PackageList
            key={tab}
            tab={tab}
            contents={contents}
            wayOn={
              tab === 'in-transit' && (
                <Link className={buttonClass('quiet')} to="/delivery/pending" replace>
                  {words.empty.seePending}
                </Link>
              )
            }
          />
        </>
      )}
    </ListScreen>
  );
}
