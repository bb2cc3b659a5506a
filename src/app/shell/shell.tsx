import { useAtomValue } from 'jotai';
import { House, Package, Truck, UserRound } from 'lucide-react';
import { lazy, type ReactNode, useEffect, useState } from 'react';
import { Link, Outlet, useLocation, useOutletContext } from 'react-router-dom';
import type { Role } from '#contract/user.ts';
import { DeskPartsContext } from '#data/desk-parts.ts';
import { LocationPickerContext } from '#data/location-picker.ts';
import { useActor } from '#data/use-actor.ts';
import { app as words } from '#messages/en/app.ts';
import { hasAchievedAtom } from '#state/install.ts';
import { lastTabsAtom } from '#state/package-ui.ts';
import { sheetAtom } from '#state/sheet.ts';
import { Frame } from '#ui/frame.tsx';
import { importWithRetry, lazyPart } from '#ui/lazy-part.tsx';
import { ScrollMemory } from '#ui/scroll-memory.tsx';
import tabs from '#ui/tabs.module.css';
import { deskMedia, useMedia } from '#ui/use-media.ts';
import { ErrorBoundary } from './error-boundary.tsx';

const BackgroundTasks = lazyPart(
  async () => (await import('#app/background/background-tasks.tsx')).BackgroundTasks,
);
const ConnectionLine = lazyPart(async () => (await import('./status-lines.tsx')).ConnectionLine);
const PhoneLines = lazyPart(async () => (await import('./status-lines.tsx')).PhoneLines);
const PendingCount = lazyPart(async () => (await import('./status-lines.tsx')).PendingCount);
const InstallOffer = lazyPart(
  async () => (await import('#features/install/components/install-card.tsx')).InstallOffer,
);
const LocationPicker = lazy(async () => ({
  default: (await import('#features/map/components/location-picker.tsx')).LocationPicker,
}));

let desk: typeof import('./desk.tsx') | undefined;

/** Rejects if it cannot be loaded; phones never load it. */
export async function bringDesk(): Promise<void> {
  if (matchMedia(deskMedia).matches) desk ??= await import('./desk.tsx');
}

/** Undefined on a phone, and until it is loaded. */
function useDesk() {
  const isWide = useMedia(deskMedia);
  const [loaded, setLoaded] = useState(desk);
  useEffect(() => {
    if (isWide) void importWithRetry(bringDesk).then(() => setLoaded(desk));
  }, [isWide]);
  return isWide ? loaded : undefined;
}

/** On a desk, rail and list are beside the screen, which stays mounted as the window changes. */
export function Inside() {
  const found = useDesk();
  return (
    <LocationPickerContext value={LocationPicker}>
      {found && (
        <found.Desk
          tabsAt={(place) => <TabBar className="desk-tabs" place={place} />}
          head={<PhoneLines />}
          line={<ConnectionLine />}
        />
      )}
      <DeskPartsContext value={found?.deskParts ?? null}>
        <Outlet context={found !== undefined} />
      </DeskPartsContext>
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
  {
    to: '/account',
    label: words.tabs.account,
    Icon: UserRound,
    // The menu's lists are within it.
    isAt: (path) => under('/account')(path) || under('/users-list')(path),
  },
];

const isAtList = (path: string) => /^\/(tracking|delivery|users-list)(\/|$)/.test(path);

interface TabBarProps {
  place: string;
  className?: string | undefined;
}

function TabBar({ place, className = tabs.bar }: TabBarProps) {
  const { role } = useActor();
  const lastTabs = useAtomValue(lastTabsAtom);
  return (
    <nav className={className} aria-label={words.tabs.label}>
      {allTabs
        .filter(({ hiddenFrom }) => hiddenFrom !== role)
        .map(({ to, label, Icon, isAt }) => (
          <Link
            key={to}
            className={tabs.item}
            to={lastTabs[to] ?? to}
            aria-current={isAt(place) ? 'page' : undefined}
          >
            <Icon aria-hidden size={24} />
            {label}
            {to === '/account' && <PendingCount />}
          </Link>
        ))}
    </nav>
  );
}

/** Above the bottom tabs, which hide while the sheet is full; a desk has the rail instead. */
export function Shell() {
  const { pathname } = useLocation();
  const isAtHome = pathname === '/' || pathname === '/home';
  const { isFullScreen } = useAtomValue(sheetAtom);
  const hasAchieved = useAtomValue(hasAchievedAtom);
  const isDesk = useOutletContext<boolean>();
  return (
    <ScreenFrame
      foot={
        isDesk || (isAtHome && isFullScreen) ? null : (
          <>
            {hasAchieved && isAtList(pathname) && <InstallOffer />}
            <TabBar place={pathname} />
          </>
        )
      }
      isClear={isAtHome}
    />
  );
}

interface ScreenFrameProps {
  foot?: ReactNode;
  isClear?: boolean;
}

export function ScreenFrame(props: ScreenFrameProps) {
  const { pathname } = useLocation();
  // A desk's pane has the list, there beside whatever is opened from it.
  if (useOutletContext<boolean>() && isAtList(pathname)) return null;
  return (
    <Frame head={<PhoneLines />} line={<ConnectionLine />} {...props}>
      <ScrollMemory />
      <ErrorBoundary at={pathname}>
        <Outlet />
      </ErrorBoundary>
    </Frame>
  );
}
