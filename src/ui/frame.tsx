import { type ReactNode, useEffect } from 'react';
import { markFirstScreen } from './first-screen.ts';
import css from './frame.module.css';

interface FrameProps {
  /** Over the screen, which makes room for it: for what stays. */
  head?: ReactNode;
  /** A slim line over the screen's lower edge, which moves nothing when it comes and goes. */
  line?: ReactNode;
  /** Under the screen: the tab bar. */
  foot?: ReactNode;
  /** Nothing between the screen and what lies behind the page. */
  isClear?: boolean;
  children: ReactNode;
}

/** The phone-wide column that everything stands in, whatever the width of the window. */
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
