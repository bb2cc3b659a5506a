import type { ButtonHTMLAttributes, MouseEvent, ReactNode } from 'react';
import css from './button.module.css';

export type ButtonTone =
  | 'primary'
  | 'accent'
  | 'quiet'
  | 'soft'
  | 'danger'
  | 'destructive'
  | 'plain';

/** For links that look like buttons. */
export function buttonClass(tone: ButtonTone = 'primary', isWide = false): string {
  return [css.button, css[tone], isWide ? css.wide : ''].join(' ');
}

type Native = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'>;

export interface ButtonProps extends Native {
  tone?: ButtonTone;
  isWide?: boolean;
  /** In progress: ignores presses but keeps focus and position. */
  isBusy?: boolean;
}

function ignoreWhile(isBusy: boolean, onClick: Native['onClick']) {
  return (event: MouseEvent<HTMLButtonElement>) => {
    if (isBusy) event.preventDefault();
    else onClick?.(event);
  };
}

export function Button({
  tone = 'primary',
  isWide = false,
  isBusy = false,
  type = 'button',
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={buttonClass(tone, isWide)}
      // Not `disabled`, which would drop the focus mid-action.
      aria-disabled={isBusy || undefined}
      onClick={ignoreWhile(isBusy, onClick)}
    />
  );
}

export function iconButtonClass(): string {
  return `${css.button} ${css.icon}`;
}

interface IconButtonProps extends Omit<Native, 'children'> {
  /** Accessible name. */
  label: string;
  icon: ReactNode;
  /** Seen below the icon; a part of the label. */
  caption?: string;
  isFloating?: boolean;
}

export function IconButton({ label, icon, caption, isFloating = false, ...rest }: IconButtonProps) {
  const looks = [css.button, css.icon, isFloating ? css.floating : ''].join(' ');
  return (
    <button type="button" {...rest} className={looks} aria-label={label}>
      {icon}
      {caption && <span className={css.caption}>{caption}</span>}
    </button>
  );
}
