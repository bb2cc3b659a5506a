import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import { ArrowRight, Menu, Package, Search } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useEffect, useId, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import type { Role } from '#contract/user.ts';
import { productName } from '#contract/version.ts';
import { useSignedIn } from '#data/services.ts';
import { useActor } from '#data/use-actor.ts';
import { displayName } from '#domain/user.ts';
import { home as words } from '#messages/en/home.ts';
import { mapExposureAtom } from '#state/map.ts';
import {
  dragged,
  expandedToMid,
  isSidebarOpenAtom,
  type SheetHeight,
  sheetAtom,
  stepped,
  withFullScreen,
} from '#state/sheet.ts';
import { ownUserAtom } from '#state/users.ts';
import { buttonClass, IconButton } from '#ui/button.tsx';
import { lazyPart } from '#ui/lazy-part.tsx';
import { useScreenHeading } from '#ui/screen.tsx';
import { Sheet } from '#ui/sheet.tsx';
import layout from '#ui/stack.module.css';
import { deskMedia, useMedia } from '#ui/use-media.ts';
import { Wordmark } from '#ui/wordmark.tsx';
import css from './home-screen.module.css';

const Sidebar = lazy(async () => ({
  default: (await import('#features/home/components/sidebar.tsx')).Sidebar,
}));

const HomeSummary = lazyPart(
  async () => (await import('#features/home/components/home-summary.tsx')).HomeSummary,
);
const HomeGlance = lazyPart(
  async () => (await import('#features/home/components/home-summary.tsx')).HomeGlance,
);

interface HomeScreenProps {
  createForm: ReactNode;
  signOutButton: ReactNode;
}

export function HomeScreen({ createForm, signOutButton }: HomeScreenProps) {
  const heading = useScreenHeading(words.title);
  const [isSidebarOpen, setIsSidebarOpen] = useAtom(isSidebarOpenAtom);
  // Browser navigation may leave it open: it must be closed on the next visit.
  useEffect(() => () => setIsSidebarOpen(false), [setIsSidebarOpen]);
  const [sheet] = useAtom(sheetAtom);
  const setExposure = useSetAtom(mapExposureAtom);
  const isCovered = sheet.isFullScreen || isSidebarOpen;
  useEffect(() => {
    setExposure(isCovered ? 'visible' : 'open');
    return () => setExposure('covered');
  }, [isCovered, setExposure]);
  const { userInfo } = useSignedIn();
  const { role } = useActor();
  const self = useAtomValue(ownUserAtom);
  const name = displayName(self ?? userInfo);
  return (
    <div className={css.home}>
      <div inert={sheet.isFullScreen}>
        <h1 className="visually-hidden" ref={heading} tabIndex={-1}>
          {words.title}
        </h1>
        <div className={`${layout.row} ${css.top}`}>
          <IconButton
            isFloating
            label={words.openMenu}
            icon={<Menu aria-hidden />}
            onClick={() => setIsSidebarOpen(true)}
          />
          <span className={css.brand}>
            <Wordmark label={productName} height={30} />
          </span>
        </div>
        {/* Down to the buttons above the sheet. */}
        <div
          className={css.glance}
          style={{ bottom: `calc(${sheet.heights[sheet.currentHeight]}dvh + 4.5rem)` }}
        >
          <HomeGlance />
        </div>
      </div>
      <HomeSheet name={name} role={role} createForm={createForm} />
      {isSidebarOpen && (
        <Suspense>
          <Sidebar name={name} onClose={() => setIsSidebarOpen(false)} foot={signOutButton} />
        </Suspense>
      )}
    </div>
  );
}

interface HomeSheetProps {
  name: string;
  role: Role;
  createForm: ReactNode;
}

function HomeSheet({ name, role, createForm }: HomeSheetProps) {
  const isEmployee = role === 'Employee';
  const [sheet, setSheet] = useAtom(sheetAtom);
  const open = () => setSheet(withFullScreen(sheet, true));
  const isDesk = useMedia(deskMedia);
  const room = isDesk || sheet.isFullScreen ? 'all' : roomOf[sheet.currentHeight];
  // Couriers and dispatchers see their next task first, and the cards at the thumb.
  const isLast = isEmployee || (role === 'Admin' && !isDesk);
  const cards = (
    // Hidden, not unmounted: the focus returns to the pressed card.
    <div className={`${layout.grid} ${css.cards}`} hidden={sheet.isFullScreen}>
      {!isEmployee && (
        <button type="button" className={`${layout.row} ${css.search}`} onClick={open}>
          <Search aria-hidden />
          {words.whereTo}
        </button>
      )}
      <button type="button" className={`${layout.row} ${css.choice}`} onClick={open}>
        <span className={`${layout.tile} ${layout.accent} ${css.tile}`}>
          <Package aria-hidden />
        </span>
        <span>
          <strong>{words.deliver}</strong> <small>{words.letsStart}</small>
        </span>
        <ArrowRight aria-hidden />
      </button>
    </div>
  );
  return (
    <Sheet
      words={words.sheet}
      title={words.addPackage}
      heightPercent={sheet.heights[sheet.currentHeight]}
      isFull={sheet.isFullScreen}
      onDragged={(distancePx) => setSheet(dragged(sheet, distancePx))}
      onRaise={sheet.isFullScreen ? null : () => setSheet(stepped(sheet, 'up'))}
      onLower={sheet.currentHeight === 'mid' ? () => setSheet(stepped(sheet, 'down')) : null}
      onClose={() => setSheet(expandedToMid(sheet))}
    >
      {!isLast && cards}
      {sheet.isFullScreen && !isEmployee && createForm}
      <Scroller isHidden={sheet.isFullScreen && !isEmployee} room={room}>
        <HomeSummary />
      </Scroller>
      {sheet.isFullScreen && isEmployee && <Welcome name={name} />}
      {isLast && cards}
    </Sheet>
  );
}

/** For how many rows there is room: in the lowest sheet one, or none. */
type Room = 'one' | 'some' | 'all';

const roomOf: Record<SheetHeight, Room> = { collapsed: 'one', mid: 'some', full: 'all' };

interface ScrollerProps {
  isHidden: boolean;
  room: Room;
  children: ReactNode;
}

/** Scrolls if its content is higher; otherwise a drag on it moves the sheet, as elsewhere. */
function Scroller({ isHidden, room, children }: ScrollerProps) {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [isHigher, setIsHigher] = useState(false);
  useEffect(() => {
    const [outer, inner] = [box.current, content.current];
    if (!outer || !inner) return;
    // Without the room below it, which it has only when it scrolls.
    const observer = new ResizeObserver(() => setIsHigher(inner.offsetHeight > outer.clientHeight));
    observer.observe(outer);
    observer.observe(inner);
    return () => observer.disconnect();
  }, []);
  return (
    <div
      ref={box}
      className={css.summary}
      hidden={isHidden}
      data-scrolls={isHigher}
      data-room={room}
    >
      <div ref={content}>{children}</div>
    </div>
  );
}

function Welcome({ name }: { name: string }) {
  const id = useId();
  const [sheet, setSheet] = useAtom(sheetAtom);
  return (
    <section className={`${layout.row} ${css.welcome}`} aria-labelledby={id}>
      <h2 id={id} className={layout.clamped} dir="auto">
        {words.welcomeBack(name)}
      </h2>
      <Link
        className={buttonClass('accent')}
        to="/delivery/pending"
        replace
        onClick={() => setSheet(expandedToMid(sheet))}
      >
        {words.viewAvailable}
      </Link>
    </section>
  );
}
