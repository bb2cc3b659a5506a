import { type RefObject, useEffect, useRef } from 'react';

/** Long enough for code that places the focus on purpose, too short to be noticed. */
const rescueDelayMs = 100;

/** The focus on the heading of the screen that is shown. */
export function focusHeading(): void {
  document.querySelector<HTMLElement>('main h1[tabindex]')?.focus({ preventScroll: true });
}

/** Whatever took it away: removed, switched off, hidden, or inert. */
const isGone = (element: Element) =>
  !element.checkVisibility({ visibilityProperty: true }) ||
  element.matches(':disabled, [inert], [inert] *');

/**
 * Keeps the focus on the screen for as long as the page lives: an element that can no longer hold it
 * leaves it to its dialog, or to the screen's heading. Code that places it elsewhere comes first, and
 * a press beside everything still takes it away.
 */
export function guardFocus(): void {
  let last: Element | null = null;
  let dialog: Element | null = null;
  let timer: number | undefined;

  const noteFocus = ({ target }: FocusEvent) => {
    last = target instanceof Element ? target : null;
    dialog = last?.closest('dialog, [role="dialog"]') ?? null;
  };
  const forget = () => {
    last = null;
  };
  const isLost = () => last !== null && document.activeElement === document.body && isGone(last);
  const rescue = () => {
    timer = undefined;
    if (!isLost()) return;
    if (!dialog?.isConnected) return focusHeading();
    dialog.querySelector<HTMLElement>('[tabindex="-1"], button, input, a[href]')?.focus();
  };
  const watcher = new MutationObserver(() => {
    if (timer === undefined && isLost()) timer = window.setTimeout(rescue, rescueDelayMs);
  });

  document.addEventListener('focusin', noteFocus);
  document.addEventListener('pointerdown', forget);
  watcher.observe(document.body, { childList: true, subtree: true, attributes: true });
}

/**
 * A place that takes the focus when the element that had it has gone: after `state` became another,
 * or with the place itself where `isNew`. Whoever is somewhere else already stays there.
 */
export function useFocusWhenLost<E extends HTMLElement = HTMLDivElement>(
  state: unknown,
): RefObject<E | null> {
  const place = useRef<E>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the state is when, not what.
  useEffect(() => {
    if (document.activeElement === document.body) place.current?.focus();
  }, [state]);
  return place;
}
