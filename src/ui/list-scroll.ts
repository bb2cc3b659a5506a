/** A virtual list's place in its scroller, and its scroll position, kept by history entry. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { CacheSnapshot, VirtualizerHandle } from 'virtua';
import { onInput, recallTop } from './scroll-memory.tsx';

/** Bounds memory; users rarely go back further. */
const mostEntries = 20;
/** Measured item heights by history entry; without them an offset would be estimated. */
const measuredByEntry = new Map<string, CacheSnapshot>();

function rememberMeasured(entry: string, measured: CacheSnapshot): void {
  measuredByEntry.delete(entry);
  measuredByEntry.set(entry, measured);
  const [oldest] = measuredByEntry.keys();
  if (measuredByEntry.size > mostEntries && oldest !== undefined) measuredByEntry.delete(oldest);
}

/** The nearest scrollable ancestor, or the page. */
function scrollerOf(element: HTMLElement): HTMLElement {
  for (let each = element.parentElement; each; each = each.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(each).overflowY)) return each;
  }
  return document.documentElement;
}

/** A list's place in its scroller. */
export function useListPlace() {
  const box = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLElement>(null);
  /** Offset of the list within the scroller. */
  const [topPx, setTopPx] = useState(0);
  /** Height of the scroller. */
  const [roomPx, setRoomPx] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    const around = element?.parentElement;
    if (!element || !around) return;
    const found = scrollerOf(element);
    scroller.current = found;
    // Content above the list that grows or disappears resizes the parent. First called after the
    // layout, which to measure here would force once more.
    const observer = new ResizeObserver(() => {
      const fromTop = element.getBoundingClientRect().top - found.getBoundingClientRect().top;
      setTopPx(Math.round(fromTop + found.scrollTop));
      setRoomPx(found.clientHeight);
    });
    observer.observe(around);
    observer.observe(found);
    return () => observer.disconnect();
  }, []);
  return { box, scroller, topPx, roomPx };
}

/**
 * Returns to the entry's position (ui/scroll-memory.tsx) in the commit that gives it its height, or
 * scrolls to the sought item, which a list beside it always shows: again as more is loaded above it,
 * until the position is the user's. Keeps the measured heights on unmount.
 */
export function useListScroll(
  { scroller, topPx, roomPx }: ReturnType<typeof useListPlace>,
  soughtIndex: number,
  shape: string | number,
  isBeside: boolean,
) {
  const list = useRef<VirtualizerHandle>(null);
  // Read on mount: at unmount the history has moved on.
  const { key } = useLocation();
  const [entry] = useState(key);
  const heights = `${entry} ${shape}`;
  const measured = useMemo(() => measuredByEntry.get(heights), [heights]);
  const isPlaced = useRef(false);
  const isBegun = useRef(false);
  useLayoutEffect(() => {
    if (isBegun.current) return;
    isBegun.current = true;
    const recalledPx = recallTop(entry);
    if (scroller.current && recalledPx) scroller.current.scrollTop = recalledPx;
    isPlaced.current = measured !== undefined && !isBeside;
  }, [scroller, entry, measured, isBeside]);
  useLayoutEffect(() => {
    const { current: handle } = list;
    const isMeasured = roomPx > 0;
    if (isPlaced.current || soughtIndex < 0 || !handle || !isMeasured) return;
    const fromTop = topPx + handle.getItemOffset(soughtIndex) - handle.scrollOffset;
    const isSeen = fromTop >= 0 && fromTop + handle.getItemSize(soughtIndex) <= roomPx;
    if (!isSeen) handle.scrollToIndex(soughtIndex, { align: 'center' });
  }, [soughtIndex, topPx, roomPx]);
  useEffect(() => {
    if (!scroller.current) return;
    return onInput(scroller.current, () => {
      isPlaced.current = true;
    });
  }, [scroller]);
  useEffect(() => {
    const { current: handle } = list;
    if (handle) return () => rememberMeasured(heights, handle.cache);
  }, [heights]);
  return { list, cache: measured };
}
