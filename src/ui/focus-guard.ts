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

interface FocusOptions {
  /** Only if the element that had the focus is gone: focus that is elsewhere stays. */
  isRescue?: boolean;
  /** Not for the first state. */
  isLater?: boolean;
  /** The first element in the place that matches, instead of the place. */
  inside?: string;
}

/**
 * A place that takes the focus with its first state and whenever `state` becomes another; null and
 * false take none.
 */
export function useFocusOn<E extends HTMLElement = HTMLDivElement>(
  state: unknown,
  { isRescue = false, isLater = false, inside }: FocusOptions = {},
): RefObject<E | null> {
  const place = useRef<E>(null);
  const last = useRef(isLater ? state : undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the state triggers the effect.
  useEffect(() => {
    if (last.current === state) return;
    last.current = state;
    if (state === null || state === false) return;
    if (isRescue && document.activeElement !== document.body) return;
    const target = inside ? place.current?.querySelector<HTMLElement>(inside) : place.current;
    target?.focus();
  }, [state]);
  return place;
}
