import { type RefObject, useEffect, useRef } from 'react';

/** Long enough for code that moves focus deliberately, too short to notice. */
const rescueDelayMs = 100;

/** Focuses the heading of the current screen. */
export function focusHeading(): void {
  document
    .querySelector<HTMLElement>(':is(main, [role=main]) h1[tabindex]')
    ?.focus({ preventScroll: true });
}

/** Removed, disabled, hidden or inert. */
const isGone = (element: Element) =>
  !element.checkVisibility({ visibilityProperty: true }) ||
  element.matches(':disabled, [inert], [inert] *');

/**
 * Keeps focus on the screen for the life of the page: when the focused element can no longer hold
 * it, focus moves to its dialog or the screen's heading. Code that moves focus itself takes
 * precedence, and a click on the background still clears it.
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
 * or with the place itself where `isNew`. Focus that is already elsewhere stays.
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
