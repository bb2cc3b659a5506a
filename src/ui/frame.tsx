import type { ReactNode } from 'react';
import css from './frame.module.css';

interface FrameProps {
  /** Over the screen, which makes room for it: for what stays. */
  head?: ReactNode;
  /** A slim line over the screen's lower edge, which moves nothing when it comes and goes. */
  line?: ReactNode;
  /** Under the screen: the tab bar. */
  foot?: ReactNode;
  children: ReactNode;
}

/** The phone-wide column that everything stands in, whatever the width of the window. */
export function Frame({ head, line, foot, children }: FrameProps) {
  return (
    <div className={css.frame}>
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
