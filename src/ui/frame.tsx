import { type ReactNode, useEffect } from 'react';
import { markFirstScreen } from './first-screen.ts';
import css from './frame.module.css';

interface FrameProps {
  /** Fixed above the screen, which makes room for it. */
  head?: ReactNode;
  /** A slim line over the screen's bottom edge; causes no layout shift. */
  line?: ReactNode;
  foot?: ReactNode;
  /** Transparent, to show the map behind the page. */
  isClear?: boolean;
  children: ReactNode;
}

/** Contains every screen: a phone's column, or the window's main pane from 900 px. */
export function Frame({ head, line, foot, isClear = false, children }: FrameProps) {
  useEffect(markFirstScreen, []);
  return (
    <div className={css.frame} data-clear={isClear} data-foot={Boolean(foot)}>
      {head && <div className={css.head}>{head}</div>}
      <main className={css.main}>{children}</main>
      {line && (
        <div className={css.line} data-last={!foot}>
          {line}
        </div>
      )}
      {foot && <div className={css.foot}>{foot}</div>}
    </div>
  );
}
