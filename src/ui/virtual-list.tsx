/**
 * A list of any length that draws only what is near the screen. It scrolls with the page: whatever
 * scrolls around it is found by itself.
 *
 * Invariants: the item that has the focus and its neighbours stay drawn however far away one scrolls,
 * so that the focus is never lost and Tab goes on from it; a short list is drawn whole, so that the
 * browser's own search finds everything in it.
 */
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { historyEntry, recallScroll, rememberScroll } from './scroll-memory.ts';
import css from './virtual-list.module.css';

/** As many are drawn whole. */
const shortCount = 20;
const overscan = 4;
/** What sticks to the top of a screen, bar and tabs: nobody scrolls to under it. */
const stickyPx = 120;

interface VirtualListProps<Item> {
  items: readonly Item[];
  keyOf(item: Item): string;
  /** One item's contents; the list item around it is the list's. */
  render(item: Item): ReactNode;
  /** About as tall as one is, until it has been measured. */
  estimatePx: number;
  gapPx?: number;
  label?: string;
  /** The item of this key comes into sight as soon as it is there, once. */
  soughtKey?: string | undefined;
}

/** The nearest around it that scrolls; the page itself where none does. */
function scrollerOf(element: HTMLElement): HTMLElement {
  for (let each = element.parentElement; each; each = each.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(each).overflowY)) return each;
  }
  return document.documentElement;
}

/** The scroller, and how far below its beginning the list begins. */
function usePlace() {
  const list = useRef<HTMLUListElement>(null);
  const [place, setPlace] = useState<{ scroller: HTMLElement | null; topPx: number }>({
    scroller: null,
    topPx: 0,
  });
  useLayoutEffect(() => {
    const element = list.current;
    const around = element?.parentElement;
    if (!element || !around) return;
    const scroller = scrollerOf(element);
    const measure = () => {
      const fromTop = element.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
      const topPx = Math.round(fromTop + scroller.scrollTop);
      setPlace((before) =>
        before.scroller === scroller && before.topPx === topPx ? before : { scroller, topPx },
      );
    };
    measure();
    // Whatever grows or goes above the list changes the size of what they stand in.
    const observer = new ResizeObserver(measure);
    observer.observe(around);
    return () => observer.disconnect();
  }, []);
  return { list, ...place };
}

/** The index of the item that has the focus, or -1; and the focus saved where its item goes away. */
function useFocused<Item>(
  list: { current: HTMLUListElement | null },
  items: readonly Item[],
  keyOf: (item: Item) => string,
) {
  const [key, setKey] = useState<string | null>(null);
  const index = key === null ? -1 : items.findIndex((item) => keyOf(item) === key);
  useEffect(() => {
    if (key === null || index >= 0) return;
    setKey(null);
    // The item went away with the focus in it: reading goes on where it was.
    if (document.activeElement === document.body) list.current?.focus({ preventScroll: true });
  }, [key, index, list]);
  return { index, setKey };
}

export function VirtualList<Item>({
  items,
  keyOf,
  render,
  estimatePx,
  gapPx = 16,
  label,
  soughtKey,
}: VirtualListProps<Item>) {
  const { list, scroller, topPx } = usePlace();
  // As it was mounted: at its end the history is elsewhere already.
  const [entry] = useState(historyEntry);
  const [recalled] = useState(() => recallScroll(entry));
  const { index: focused, setKey: setFocusedKey } = useFocused(list, items, keyOf);
  const rangeExtractor = useCallback(
    (range: Range) => {
      if (range.count <= shortCount) return Array.from({ length: range.count }, (_, at) => at);
      if (focused < 0) return defaultRangeExtractor(range);
      const kept = [focused - 1, focused, focused + 1].filter((at) => at >= 0 && at < range.count);
      const all = new Set([...defaultRangeExtractor(range), ...kept]);
      return [...all].sort((a, b) => a - b);
    },
    [focused],
  );
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller,
    estimateSize: () => estimatePx,
    getItemKey: (index) => keyOf(items[index] as Item),
    scrollMargin: topPx,
    scrollPaddingStart: stickyPx,
    scrollPaddingEnd: gapPx,
    gap: gapPx,
    overscan,
    rangeExtractor,
    initialMeasurementsCache: recalled?.measured ?? [],
    // Scrolling comes between two frames; drawing with the next one is soon enough.
    useFlushSync: false,
  });

  const isPlaced = useRef(false);
  const soughtIndex =
    soughtKey === undefined ? -1 : items.findIndex((item) => keyOf(item) === soughtKey);
  const isBegun = useRef(false);
  useLayoutEffect(() => {
    if (!scroller || isBegun.current) return;
    isBegun.current = true;
    // Another list may have stood in the same place, scrolled.
    scroller.scrollTop = recalled?.topPx ?? 0;
    isPlaced.current = recalled !== undefined;
  }, [scroller, recalled]);
  useLayoutEffect(() => {
    if (!scroller || isPlaced.current || soughtIndex < 0) return;
    isPlaced.current = true;
    virtualizer.scrollToIndex(soughtIndex, { align: 'auto' });
  }, [scroller, soughtIndex, virtualizer]);

  useEffect(() => {
    if (!scroller) return;
    let topPx = scroller.scrollTop;
    const note = () => {
      topPx = scroller.scrollTop;
    };
    scroller.addEventListener('scroll', note, { passive: true });
    return () => {
      scroller.removeEventListener('scroll', note);
      // Not as it is now: what is being taken off the page has lost its height.
      rememberScroll(entry, { topPx, measured: virtualizer.takeSnapshot() });
    };
  }, [scroller, virtualizer, entry]);

  return (
    <ul
      ref={list}
      // biome-ignore lint/a11y/noRedundantRoles: Safari takes a list without bullets for none.
      role="list"
      className={css.list}
      aria-label={label}
      tabIndex={-1}
      style={{ height: virtualizer.getTotalSize() }}
    >
      {virtualizer.getVirtualItems().map(({ index, key, start }) => {
        const item = items[index] as Item;
        return (
          <li
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            className={css.item}
            style={{ transform: `translateY(${start - topPx}px)` }}
            aria-setsize={items.length}
            aria-posinset={index + 1}
            onFocus={() => setFocusedKey(keyOf(item))}
            onBlur={({ relatedTarget }) => {
              // Without a next one the focus may have gone with what had it: then it is saved. From
              // item to item nothing is let go, or the next would be gone before it has the focus.
              if (relatedTarget && !list.current?.contains(relatedTarget)) setFocusedKey(null);
            }}
          >
            {render(item)}
          </li>
        );
      })}
    </ul>
  );
}
