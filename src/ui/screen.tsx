import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import css from './screen.module.css';

const productName = () =>
  document.querySelector<HTMLMetaElement>('meta[name="application-name"]')?.content ?? '';

/** The tab's title, and the focus on the screen's heading, so that a change of screen is heard. */
export function useScreenHeading(title: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${productName()}`;
  }, [title]);
  useEffect(() => heading.current?.focus(), []);
  return heading;
}

interface ScreenProps {
  title: string;
  /** Before the title: a way back. */
  lead?: ReactNode;
  /** After the title. */
  aside?: ReactNode;
  /** Under the title, staying there: tabs. */
  tabs?: ReactNode;
  children: ReactNode;
}

/** A screen with a bar and one h1. It stands inside the frame's `<main>`. */
export function Screen({ title, lead, aside, tabs, children }: ScreenProps) {
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
      <div className={css.body}>{children}</div>
    </div>
  );
}

interface MessageScreenProps {
  title: string;
  /** Over the title, on its disc. */
  icon?: ReactNode;
  children?: ReactNode;
}

/** A screen of a few words in the middle: 404, expired, offline. */
export function MessageScreen({ title, icon, children }: MessageScreenProps) {
  const heading = useScreenHeading(title);
  return (
    <div className={css.centred}>
      {icon}
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </div>
  );
}
