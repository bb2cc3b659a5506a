import { useMemo } from 'react';
import { Link } from 'react-router-dom';
import { isProfileComplete } from '#domain/user.ts';
import { useSignedIn } from '#live/services.ts';
import { useArePackagesWhole, usePackageViews } from '#live/use-packages.ts';
import { useOwnUser } from '#live/use-users.ts';
import { Screen } from '#ui/screen.tsx';
import tabs from '#ui/tabs.module.css';
import { deliveriesTab, type TabName, trackingTab } from './list-rules.ts';
import { PackageList } from './package-list.tsx';
import { ProfileIncompleteCard } from './profile-incomplete-card.tsx';
import { RefusedCreations } from './refused-creations.tsx';
import { words } from './words.ts';

interface StatusTabsProps {
  base: string;
  label: string;
  /** The index shows the pending tab, so the address alone does not tell. */
  current: TabName;
}

function StatusTabs({ base, label, current }: StatusTabsProps) {
  const mark = (tab: TabName) => (tab === current ? 'page' : undefined);
  return (
    <nav className={tabs.pills} aria-label={label}>
      <Link className={tabs.pill} to={`${base}/pending`} replace aria-current={mark('pending')}>
        {words.tabs.pending}
      </Link>
      <Link
        className={tabs.pill}
        to={`${base}/in-transit`}
        replace
        aria-current={mark('in-transit')}
      >
        {words.tabs.inTransit}
      </Link>
    </nav>
  );
}

function useTab(rule: typeof trackingTab, tab: TabName) {
  const { userInfo } = useSignedIn();
  const all = usePackageViews();
  const isWhole = useArePackagesWhole();
  return useMemo(() => {
    // The newest begin the pending tab; the other's order can only be told once all are here.
    if (all === undefined || (!isWhole && tab !== 'pending')) return undefined;
    const contents = rule(all, userInfo.id, tab);
    return isWhole || contents.views.length > 0 ? contents : undefined;
  }, [all, isWhole, userInfo.id, rule, tab]);
}

/** What the user has sent. */
export function TrackingScreen({ tab }: { tab: TabName }) {
  const contents = useTab(trackingTab, tab);
  return (
    <Screen
      title={words.tracking}
      tabs={<StatusTabs base="/tracking" label={words.tracking} current={tab} />}
    >
      <RefusedCreations />
      <PackageList key={tab} views={contents?.views} emptyText={contents?.emptyText ?? ''} />
    </Screen>
  );
}

/** What there is to carry, and what the user carries. */
export function DeliveriesScreen({ tab }: { tab: TabName }) {
  const contents = useTab(deliveriesTab, tab);
  const self = useOwnUser();
  return (
    <Screen
      title={words.deliveries}
      tabs={<StatusTabs base="/delivery" label={words.deliveries} current={tab} />}
    >
      {self && !isProfileComplete(self) ? (
        <ProfileIncompleteCard userId={self.id} />
      ) : (
        <PackageList key={tab} views={contents?.views} emptyText={contents?.emptyText ?? ''} />
      )}
    </Screen>
  );
}
