import type { ButtonHTMLAttributes, MouseEvent, ReactNode } from 'react';
import css from './button.module.css';

export type ButtonTone = 'primary' | 'accent' | 'quiet' | 'danger' | 'plain';

/** The looks of a button, for links that stand where a button would. */
export function buttonClass(tone: ButtonTone = 'primary', isWide = false): string {
  return [css.button, css[tone], isWide ? css.wide : ''].join(' ');
}

type Native = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'>;

interface ButtonProps extends Native {
  tone?: ButtonTone;
  isWide?: boolean;
  /** Works on something: it keeps the focus and its place, and takes no second press. */
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
      // Not `disabled`: that would throw the focus away in the middle of the work.
      aria-disabled={isBusy || undefined}
      onClick={ignoreWhile(isBusy, onClick)}
    />
  );
}

/** The looks of an icon button, for links that stand where one would. */
export function iconButtonClass(): string {
  return `${css.button} ${css.icon}`;
}

interface IconButtonProps extends Omit<Native, 'children'> {
  /** What it does, for those who do not see the icon. */
  label: string;
  icon: ReactNode;
  isFloating?: boolean;
}

export function IconButton({ label, icon, isFloating = false, ...rest }: IconButtonProps) {
  const looks = [css.button, css.icon, isFloating ? css.floating : ''].join(' ');
  return (
    <button type="button" {...rest} className={looks} aria-label={label}>
      {icon}
    </button>
  );
}
