import { type RefObject, useEffect, useRef } from 'react';

/**
 * Focuses the returned ref when `state` changes (or on mount) and the focused element is gone.
 * Focus held elsewhere stays.
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
