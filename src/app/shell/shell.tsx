import { useAtomValue } from 'jotai';
import { House, Package, Truck, UserRound } from 'lucide-react';
import { lazy } from 'react';
import { Link, Outlet, useLocation } from 'react-router-dom';
import { lazyPart } from '#app/routes/chunks.tsx';
import type { Role } from '#contract/user.ts';
import { LocationPickerContext } from '#data/location-picker.ts';
import { useActor } from '#data/use-actor.ts';
import { app as words } from '#messages/en/app.ts';
import { hasAchievedAtom } from '#state/install.ts';
import { lastTabsAtom } from '#state/package-ui.ts';
import { sheetAtom } from '#state/sheet.ts';
import { Frame } from '#ui/frame.tsx';
import tabs from '#ui/tabs.module.css';
import { ErrorBoundary } from './error-boundary.tsx';

const BackgroundTasks = lazyPart(
  async () => (await import('#app/background/background-tasks.tsx')).BackgroundTasks,
);
const ConnectionLine = lazyPart(async () => (await import('./status-lines.tsx')).ConnectionLine);
const StorageLine = lazyPart(async () => (await import('./status-lines.tsx')).StorageLine);
const PendingCount = lazyPart(async () => (await import('./status-lines.tsx')).PendingCount);
const InstallOffer = lazyPart(
  async () => (await import('#features/install/components/install-card.tsx')).InstallOffer,
);
const LocationPicker = lazy(async () => ({
  default: (await import('#features/map/components/location-picker.tsx')).LocationPicker,
}));

export function Inside() {
  return (
    <LocationPickerContext value={LocationPicker}>
      <Outlet />
      <BackgroundTasks />
    </LocationPickerContext>
  );
}

interface Tab {
  to: string;
  label: string;
  Icon: typeof House;
  isAt(path: string): boolean;
  hiddenFrom?: Role;
}

const under = (root: string) => (path: string) => path === root || path.startsWith(`${root}/`);

const allTabs: Tab[] = [
  {
    to: '/',
    label: words.tabs.home,
    Icon: House,
    isAt: (path) => path === '/' || path === '/home',
  },
  {
    to: '/tracking',
    label: words.tabs.tracking,
    Icon: Package,
    isAt: under('/tracking'),
    hiddenFrom: 'Employee',
  },
  {
    to: '/delivery',
    label: words.tabs.deliveries,
    Icon: Truck,
    isAt: under('/delivery'),
    hiddenFrom: 'Customer',
  },
  { to: '/account', label: words.tabs.account, Icon: UserRound, isAt: under('/account') },
];

const isAtList = (path: string) => under('/tracking')(path) || under('/delivery')(path);

function TabBar() {
  const { role } = useActor();
  const { pathname } = useLocation();
  const lastTabs = useAtomValue(lastTabsAtom);
  return (
    <nav className={tabs.bar} aria-label={words.tabs.label}>
      {allTabs
        .filter(({ hiddenFrom }) => hiddenFrom !== role)
        .map(({ to, label, Icon, isAt }) => (
          <Link
            key={to}
            className={tabs.item}
            to={lastTabs[to] ?? to}
            aria-current={isAt(pathname) ? 'page' : undefined}
          >
            <Icon aria-hidden size={24} />
            {label}
            {to === '/account' && <PendingCount />}
          </Link>
        ))}
    </nav>
  );
}

/** The main layout: content above the bottom tabs, which hide while the sheet is full. */
export function Shell() {
  const { pathname } = useLocation();
  const isAtHome = pathname === '/' || pathname === '/home';
  const { isFullScreen } = useAtomValue(sheetAtom);
  const hasAchieved = useAtomValue(hasAchievedAtom);
  return (
    <Frame
      head={<StorageLine />}
      line={<ConnectionLine />}
      foot={
        isAtHome && isFullScreen ? null : (
          <>
            {hasAchieved && isAtList(pathname) && <InstallOffer />}
            <TabBar />
          </>
        )
      }
      isClear={isAtHome}
    >
      <ErrorBoundary at={pathname}>
        <Outlet />
      </ErrorBoundary>
    </Frame>
  );
}

export function PlainShell() {
  const { pathname } = useLocation();
  return (
    <Frame head={<StorageLine />} line={<ConnectionLine />}>
      <ErrorBoundary at={pathname}>
        <Outlet />
      </ErrorBoundary>
    </Frame>
  );
}
