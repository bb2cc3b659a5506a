import {
  createContext,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useRef,
} from 'react';
import css from './screen.module.css';
import layout from './stack.module.css';

const productName = () =>
  document.querySelector<HTMLMetaElement>('meta[name="application-name"]')?.content ?? '';

/** In a pane beside the main one: the id that the main pane shows. Null: this is the main pane. */
export const BesideContext = createContext<string | null>(null);

/** Sets the document title and focuses the heading, so that screen readers announce the change. */
export function useScreenHeading(title: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const isMain = useContext(BesideContext) === null;
  useEffect(() => {
    if (isMain) document.title = `${title} · ${productName()}`;
  }, [title, isMain]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a pane that becomes the main one keeps the focus.
  useEffect(() => {
    // Back leads to where it was, not to its heading.
    if (isMain) heading.current?.focus({ preventScroll: true });
  }, []);
  return heading;
}

interface ScreenProps {
  title: string;
  /** Before the title: a back button. */
  lead?: ReactNode;
  aside?: ReactNode;
  /** Sticky below the title: tabs. */
  tabs?: ReactNode;
  /** A bar at the thumb: the primary action and its companions. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A screen with a bar and one h1, rendered inside the frame's `<main>`. */
export function Screen({ title, lead, aside, tabs, actions, children }: ScreenProps) {
  const heading = useScreenHeading(title);
  return (
    <div className={css.screen}>
      <header className={css.bar}>
        {lead}
        <h1 className={css.title} ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {aside}
      </header>
      {tabs}
      <div className={`${css.body} ${layout.leads}`}>{children}</div>
      {actions && <ActionBar>{actions}</ActionBar>}
    </div>
  );
}

/** Sticks to the bottom of a screen or a full sheet; the actions of a form. */
interface ActionBarProps {
  children: ReactNode;
  /** Ignores taps at first: a double tap was meant for the buttons before. */
  rests?: true;
}

export function ActionBar({ children, rests }: ActionBarProps) {
  return (
    <div className={css.actions} data-actions data-rests={rests}>
      {children}
    </div>
  );
}

interface MessageScreenProps {
  title: string;
  icon: ReactNode;
  children?: ReactNode;
}

/** A whole screen's message: 404, expired, offline; within one, a Notice looks the same. */
export function MessageScreen({ title, icon, children }: MessageScreenProps) {
  const heading = useScreenHeading(title);
  return (
    <div className={`${css.centred} ${layout.message}`}>
      {icon}
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </div>
  );
}
