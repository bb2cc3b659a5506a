/**
 * From 900 px: a rail instead of the tabs, and the list beside what is opened from it.
 *
 *   home     rail | panel | map         list         rail | list, and the map if it has pins to show
 *   form     rail | screen | summary    detail       rail | list | screen
 *   full     rail | screen              wide         rail | table
 *   account  rail | account | screen    wide-detail  rail | table | screen
 *   menu, menu-detail: the same with the router's screen at the right; 'account' has it at the left
 *
 * The panel, the screen and the forms are the router's, in the shell's frame; the list here is
 * another location of it, which stays while details come and go. Phones never load this file, nor
 * its styles.
 */
import { useAtomValue, useSetAtom } from 'jotai';
import {
  type MouseEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import {
  type Location,
  Outlet,
  type RouteObject,
  useLocation,
  useNavigate,
  useParams,
  useRoutes,
} from 'react-router-dom';
import { keepPart } from '#app/pwa/service-worker.ts';
import { useActor } from '#data/use-actor.ts';
import { usePackageViews } from '#data/use-packages.ts';
import { AccountScreen } from '#features/account/screens/account-screen.tsx';
import { PersonalInfoScreen } from '#features/account/screens/personal-info-screen.tsx';
import { InstallCard } from '#features/install/components/install-card.tsx';
import { isAnyOnMap, PackageMarkers } from '#features/map/components/package-markers.tsx';
import { useOpenMap } from '#features/map/use-open-map.ts';
import { PackageList } from '#features/package-list/components/package-list.tsx';
import { PackageTable } from '#features/package-list/components/package-table.tsx';
import { DeliveriesScreen, TrackingScreen } from '#features/package-list/screens/list-screens.tsx';
import { UserTable } from '#features/users/components/user-table.tsx';
import { UsersScreen } from '#features/users/screens/users-screen.tsx';
import { account as accountWords } from '#messages/en/account.ts';
import { desk as words } from '#messages/en/desk.ts';
import { hasMapAtom } from '#state/map.ts';
import { sheetAtom } from '#state/sheet.ts';
import { useGoBack } from '#ui/back-button.tsx';
import styles from '#ui/desk.css?inline';
import { markFirstScreen } from '#ui/first-screen.ts';
import { focusHeading } from '#ui/focus-guard.ts';
import { lazyPart } from '#ui/lazy-part.tsx';
import { BesideContext } from '#ui/screen.tsx';
import { ScrollMemory } from '#ui/scroll-memory.tsx';
import { deskKeys, useKeys } from '#ui/use-keys.ts';
import { broadMedia, useMedia } from '#ui/use-media.ts';
import { ColumnsContext } from '#ui/virtual-list.tsx';
import { asideAtom } from './desk-cards.tsx';
import { ErrorBoundary } from './error-boundary.tsx';

export { deskParts } from './desk-cards.tsx';

const sheet = new CSSStyleSheet();
sheet.replaceSync(styles);
// Before the sheets of the components it imports, which may differ from what a pane says.
document.adoptedStyleSheets = [sheet, ...document.adoptedStyleSheets];

const PushInvitation = lazyPart(
  async () => (await import('#features/notifications/components/invitation.tsx')).PushInvitation,
);

/** Dispatchers get tables if there is room for a table and a detail beside it. */
function useHasTables(): boolean {
  const isWide = useMedia(broadMedia);
  return useActor().role === 'Admin' && isWide;
}

const usePackageList = () => (useHasTables() ? PackageTable : PackageList);

function Tracking() {
  const tab = useParams().tab === 'in-transit' ? 'in-transit' : 'pending';
  const invitation = tab === 'pending' && <PushInvitation />;
  return <TrackingScreen key={tab} tab={tab} invitation={invitation} List={usePackageList()} />;
}

function Deliveries() {
  const { tab: named } = useParams();
  const tab = named === 'in-transit' || named === 'all' ? named : 'pending';
  const invitation = tab === 'pending' && <PushInvitation />;
  return <DeliveriesScreen key={tab} tab={tab} invitation={invitation} List={usePackageList()} />;
}

function Users() {
  return useHasTables() ? <UsersScreen List={UserTable} /> : <UsersScreen />;
}

const lists: RouteObject[] = [
  { path: 'tracking/:tab?', Component: Tracking },
  { path: 'delivery/:tab?', Component: Deliveries },
  { path: 'users-list', Component: Users },
  { path: 'account', element: <AccountScreen install={<InstallCard />} /> },
  { path: 'personal-info', Component: PersonalInfoScreen },
];

type Subject = 'packages' | 'users' | 'account';

const subjectOfList = (path: string): Subject | null =>
  (/^\/(tracking|delivery)(\/|$)/.test(path) && 'packages') ||
  (/^\/users-list\/?$/.test(path) && 'users') ||
  (/^\/account\/?$/.test(path) && 'account') ||
  null;

const firstRow = '/personal-info';

/** The row of the account's menu that each of its screens belongs to. */
const accountRows: Readonly<Record<string, string>> = {
  'personal-info': firstRow,
  security: '/security',
  notifications: '/notifications',
  outbox: '/outbox',
  payment: '/payment',
  deposit: '/payment',
  promotion: '/promotion',
  support: '/support',
  about: '/about',
  'delivery-request': '/about',
};

function subjectOfDetail(path: string): { subject: Subject; id: string } | null {
  const [, screen = '', id = ''] = path.split('/');
  if (screen === 'package-detail') return { subject: 'packages', id };
  if (screen === 'edit-user' || screen === 'new-user') return { subject: 'users', id };
  const row = accountRows[screen];
  return row ? { subject: 'account', id: row } : null;
}

interface Beside {
  /** The list's address; null: this screen has none beside it. */
  list: Location | null;
  /** Id of the detail beside the list; null: none; '': one that was not opened from the list. */
  openId: string | null;
}

/** A location outside the history; its scroll position is remembered under its key. */
const unseen = (pathname: string): Location => ({
  pathname,
  search: '',
  hash: '',
  state: null,
  key: `beside ${pathname}`,
});

/** The list of this address, or the last one that its detail may be from; at first, one with it. */
function useBeside(): Beside {
  const location = useLocation();
  const actor = useActor();
  const { role } = actor;
  const views = usePackageViews();
  const [last, setLast] = useState<Partial<Record<Subject, Location>>>({});
  const subject = subjectOfList(location.pathname);
  if (subject) {
    if (last[subject] !== location) setLast({ ...last, [subject]: location });
    // Beside the menu is the screen of its first row.
    if (subject === 'account') return { list: unseen(firstRow), openId: '' };
    return { list: location, openId: null };
  }
  const open = subjectOfDetail(location.pathname);
  if (!open) return { list: null, openId: null };
  if (open.subject === 'users' && !last.users) {
    // One's own profile belongs to the account; only dispatchers have a list of users.
    if (open.id === actor.id) return { list: last.account ?? unseen('/account'), openId: firstRow };
    if (role !== 'Admin') return { list: null, openId: null };
  }
  const base = role === 'Customer' ? '/tracking' : '/delivery';
  const { status = 'pending' } = views?.find(({ id }) => id === open.id) ?? {};
  const tab = status === 'pending' ? 'pending' : 'in-transit';
  const addresses = {
    packages: `${base}/${role === 'Admin' ? 'all' : tab}`,
    users: '/users-list',
    account: '/account',
  };
  return { list: last[open.subject] ?? unseen(addresses[open.subject]), openId: open.id };
}

const isHome = (path: string) => path === '/' || path === '/home';

/** Forms with places in them. */
const isForm = (path: string) => /^\/(new|edit)-package(\/|$)/.test(path);

function layoutOf(path: string, list: Location | null, isOpen: boolean, hasTables: boolean) {
  if (list === null) return (isHome(path) && 'home') || (isForm(path) && 'form') || 'full';
  const subject = subjectOfList(list.pathname);
  if (subjectOfList(path) === 'account') return 'account';
  if (subject === 'account') return accountRows[path.slice(1)] === path ? 'menu' : 'menu-detail';
  const isMapped = subject === 'packages' && !hasTables;
  if (isOpen) return isMapped ? 'detail' : 'wide-detail';
  return isMapped ? 'list' : 'wide';
}

/** Tells the styles which panes there are, and whether the map is one of them. */
function useLayout(layout: string, isBesideMap: boolean): void {
  useLayoutEffect(() => {
    const { dataset } = document.documentElement;
    dataset.desk = layout;
    if (isBesideMap) dataset.deskMap = '';
    return () => {
      delete dataset.desk;
      delete dataset.deskMap;
    };
  }, [layout, isBesideMap]);
}

/** Whether a map has something to show. */
function useHasPins(isMapped: boolean): boolean {
  const views = usePackageViews();
  const actor = useActor();
  return useMemo(
    () => isMapped && views !== undefined && isAnyOnMap(views, actor),
    [isMapped, views, actor],
  );
}

/** The cards of a list that are side by side: none where a detail or the map is beside it. */
function useColumns(layout: string, isBesideMap: boolean): number {
  const isBroad = useMedia(broadMedia);
  if (layout !== 'list' && layout !== 'wide') return 1;
  if (isBesideMap) return isBroad ? 2 : 1;
  return isBroad ? 3 : 2;
}

interface DeskProps {
  /** The tabs, with the one marked that this address belongs to. */
  tabsAt(place: string): ReactNode;
  /** The storage line and the connection line, for a list that is alone. */
  head: ReactNode;
  line: ReactNode;
}

export function Desk({ tabsAt, head, line }: DeskProps) {
  const { pathname } = useLocation();
  const { list, openId } = useBeside();
  const hasTables = useHasTables();
  const layout = layoutOf(pathname, list, openId !== null, hasTables);
  // A detail has the map in a card (desk-parts.tsx).
  const isList = layout === 'list';
  const hasPins = useHasPins(isList || layout === 'home');
  useOpenMap(isList && hasPins);
  const hasMap = useAtomValue(hasMapAtom);
  const { isFullScreen } = useAtomValue(sheetAtom);
  const { role } = useActor();
  // A courier's sheet has no form.
  const hasForm = role !== 'Employee';
  const isFormAtHome = layout === 'home' && hasForm && isFullScreen;
  // At Home, couriers and senders see their own position on it; dispatchers only pins.
  const isOfUse = isList ? hasPins : layout === 'home' && (hasPins || role !== 'Admin');
  const isBesideMap = isFormAtHome || (hasMap && isOfUse);
  useLayout(layout, isBesideMap);
  const isAccount = layout.startsWith('menu') || layout === 'account';
  // A detail belongs to the list beside it, a screen of the menu to the menu.
  const place = isAccount ? '/account' : (list?.pathname ?? pathname);
  const goBack = useGoBack(list?.pathname ?? '/');
  const pane = useRef<HTMLElement>(null);
  const isOpen = openId && layout !== 'menu';
  useKeys({ pane: () => pane.current, onClose: isOpen ? goBack : null });
  useEffect(() => void keepPart('desk'), []);
  const columns = useColumns(layout, isBesideMap);
  return (
    <>
      <div className="desk-rail">
        {tabsAt(place)}
        <KeyHints isListed={list !== null && !isAccount} />
      </div>
      {list && (
        <BesideContext value={openId}>
          <ColumnsContext value={columns}>
            <Lists
              at={list}
              openId={openId}
              hasOpened={subjectOfList(pathname) === null}
              label={isAccount ? accountWords.title : words.list}
              pane={pane}
              head={head}
              line={line}
            />
          </ColumnsContext>
        </BesideContext>
      )}
      {(layout === 'form' || isFormAtHome) && <FormAside />}
      {isList && <PackageMarkers />}
    </>
  );
}

/** Empty until the form fills it (desk-parts.tsx). */
function FormAside() {
  return (
    <aside ref={useSetAtom(asideAtom)} className="desk-aside" aria-label={words.summary.title} />
  );
}

const hints = [
  ['/', words.keys.search],
  ['j', words.keys.next],
  ['k', words.keys.previous],
  ['↵', words.keys.open],
  ['Esc', words.keys.close],
] as const;

function KeyHints({ isListed }: { isListed: boolean }) {
  if (!isListed) return null;
  return (
    <aside className="desk-keys" aria-label={words.keys.label}>
      {hints.map(([key, label]) => (
        <span key={key}>
          <kbd>{key}</kbd> {label}
        </span>
      ))}
    </aside>
  );
}

interface ListsProps extends PaneProps {
  at: Location;
}

function Lists({ at, ...props }: ListsProps) {
  return useRoutes([{ element: <Pane {...props} />, children: lists }], at);
}

interface PaneProps extends Omit<DeskProps, 'tabsAt'> {
  openId: string | null;
  /** The open detail has its own history entry. */
  hasOpened: boolean;
  label: string;
  pane: { current: HTMLElement | null };
}

/** The list: the main pane while nothing is open beside it. */
function Pane({ openId, hasOpened, label, pane, head, line }: PaneProps) {
  const { pathname } = useLocation();
  useEffect(markFirstScreen, []);
  const isMain = openId === null;
  const wasOpen = useRef(openId);
  useLayoutEffect(() => {
    // Closed: back to the row it was opened from.
    if (isMain && wasOpen.current) {
      const row = `a[href$="/${CSS.escape(wasOpen.current)}"]`;
      const back = pane.current?.querySelector<HTMLElement>(row);
      if (back) back.focus();
      else focusHeading();
    }
    wasOpen.current = openId;
  }, [openId, isMain, pane]);
  const openBeside = useOpenBeside(hasOpened);
  return (
    <section
      ref={pane}
      className="desk-pane"
      {...(isMain ? { role: 'main' } : { role: 'region', 'aria-label': label })}
      aria-keyshortcuts={deskKeys}
      onClickCapture={openBeside}
    >
      {isMain && head}
      <div className="desk-scroll">
        <ScrollMemory />
        <ErrorBoundary at={pathname}>
          <Outlet />
        </ErrorBoundary>
      </div>
      {isMain && <div className="desk-line">{line}</div>}
    </section>
  );
}

/** While a detail is open, the next one takes its place in the history: Back closes it. */
function useOpenBeside(hasOpened: boolean) {
  const navigate = useNavigate();
  return (event: MouseEvent) => {
    const isModified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (!hasOpened || event.button !== 0 || isModified) return;
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href]');
    if (!link || !subjectOfDetail(link.pathname)) return;
    event.preventDefault();
    navigate(link.pathname, { replace: true });
  };
}
