import type { ReactNode } from 'react';
import css from './frame.module.css';

interface FrameProps {
  /** A slim line over the screen. */
  top?: ReactNode;
  /** Under the screen: the tab bar. */
  foot?: ReactNode;
  children: ReactNode;
}

/** The phone-wide column that everything stands in, whatever the width of the window. */
export function Frame({ top, foot, children }: FrameProps) {
  return (
    <div className={css.frame}>
      {top}
      <main className={css.main}>{children}</main>
      {foot && <div className={css.foot}>{foot}</div>}
    </div>
  );
}
