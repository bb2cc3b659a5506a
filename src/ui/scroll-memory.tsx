/**
 * Scroll positions by history entry: Back returns to the place, and no screen inherits another's.
 * In memory only; a reload starts at the top.
 */
import { useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';

/** Bounds memory; users rarely go back further. */
const mostEntries = 50;
const topByEntry = new Map<string, number>();

/** How long content may take to reach its former height. */
const patienceMs = 3_000;
const inputs = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** `then`: once the position is the user's. Returns the way to stop. */
export function onInput(element: HTMLElement, then: () => void): () => void {
  for (const input of inputs) element.addEventListener(input, then, { passive: true });
  return () => {
    for (const input of inputs) element.removeEventListener(input, then);
  };
}

export const recallTop = (entry: string): number | undefined => topByEntry.get(entry);

function remember(entry: string, topPx: number): void {
  topByEntry.delete(entry);
  topByEntry.set(entry, topPx);
  const [oldest] = topByEntry.keys();
  if (topByEntry.size > mostEntries && oldest !== undefined) topByEntry.delete(oldest);
}

/** A child of the scroller, which outlives its screens. The entry is the nearest location's. */
export function ScrollMemory() {
  const { key: entry } = useLocation();
  const place = useRef<HTMLSpanElement>(null);
  const isNew = useRef(true);
  useLayoutEffect(() => {
    const element = place.current?.parentElement;
    if (!element) return;
    const topPx = recallTop(entry) ?? 0;
    /** Not reached yet; null: the position is the user's again. */
    let soughtPx: number | null = topPx;
    // A new scroller is at its top: asking would lay out a screen that is not complete.
    if (isNew.current && topPx === 0) soughtPx = null;
    isNew.current = false;
    let frame = 0;
    const untilMs = performance.now() + patienceMs;
    const letGo = () => {
      soughtPx = null;
    };
    // The content may still be loading: each frame, until it is high enough.
    const seek = () => {
      if (soughtPx === null) return;
      element.scrollTop = soughtPx;
      if (element.scrollTop >= soughtPx - 1 || performance.now() > untilMs) letGo();
      else frame = requestAnimationFrame(seek);
    };
    const note = () => {
      if (soughtPx === null) remember(entry, element.scrollTop);
    };
    element.addEventListener('scroll', note, { passive: true });
    const stop = onInput(element, letGo);
    seek();
    return () => {
      cancelAnimationFrame(frame);
      element.removeEventListener('scroll', note);
      stop();
    };
  }, [entry]);
  return <span ref={place} hidden />;
}
