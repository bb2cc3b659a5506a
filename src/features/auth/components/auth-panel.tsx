import { type ReactNode, type RefObject, useEffect } from 'react';
import { productName } from '#contract/version.ts';
import css from '#features/auth/components/auth.module.css';
import { auth as words } from '#messages/en/auth.ts';
import { splashFlag } from '#state/splash.ts';
import layout from '#ui/stack.module.css';
import { Wordmark } from '#ui/wordmark.tsx';

interface AuthPanelProps {
  title: string;
  heading: RefObject<HTMLHeadingElement | null>;
  /** Another form is about to take its place. */
  isLeaving?: boolean;
  onInput?(): void;
  children: ReactNode;
}

/** The cloth, and on it the forms that need no session. */
export function AuthPanel({ title, heading, isLeaving, onInput, children }: AuthPanelProps) {
  // A mailed link opens a tab without it: none is shown on the way back to the log-in either.
  useEffect(splashFlag.set, []);
  return (
    <div className={css.page} data-toasts="top">
      <div className={css.hero}>
        <Wordmark label={productName} height={44} />
        <p className={css.promise}>{words.taglines[0]}</p>
      </div>
      <div className={css.panel}>
        <div
          className={`${layout.stack} ${css.form}`}
          data-leaving={isLeaving}
          onInputCapture={onInput}
        >
          <h1 className={css.title} ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {children}
        </div>
      </div>
    </div>
  );
}
