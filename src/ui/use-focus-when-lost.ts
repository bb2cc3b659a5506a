import { type RefObject, useEffect, useRef } from 'react';

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
