/**
 * A list of any length that draws only what is near the screen. It scrolls with the page: whatever
 * scrolls around it is found by itself.
 *
 * Invariants: the item that has the focus and its neighbours stay drawn however far away one scrolls,
 * so that the focus is never lost and Tab goes on from it; a short list is drawn whole, so that the
 * browser's own search finds everything in it.
 */
import {
  createContext,
  Fragment,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import {
  type CustomContainerComponentProps,
  type CustomItemComponentProps,
  Virtualizer,
  type VirtualizerHandle,
} from 'virtua';
import { historyEntry, recallScroll, rememberScroll } from './scroll-memory.ts';
import css from './virtual-list.module.css';

/** As many are drawn whole. */
const shortCount = 20;
/** How far beyond the screen's edges items are drawn. */
const bufferPx = 800;

interface VirtualListProps<T> {
  items: readonly T[];
  keyOf(item: T): string;
  /** One item's contents; the list item around it is the list's. */
  render(item: T): ReactNode;
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

interface Place {
  scroller: HTMLElement;
  /** How far below the scroller's beginning the list begins. */
  topPx: number;
}

/** Null until it has been looked for. */
function usePlace() {
  const box = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<Place | null>(null);
  useLayoutEffect(() => {
    const element = box.current;
    const around = element?.parentElement;
    if (!element || !around) return;
    const scroller = scrollerOf(element);
    const measure = () => {
      const fromTop = element.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
      const topPx = Math.round(fromTop + scroller.scrollTop);
      setPlace((before) =>
        before?.scroller === scroller && before.topPx === topPx ? before : { scroller, topPx },
      );
    };
    measure();
    // Whatever grows or goes above the list changes the size of what they stand in.
    const observer = new ResizeObserver(measure);
    observer.observe(around);
    return () => observer.disconnect();
  }, []);
  return { box, place };
}

/** The index of the item that has the focus, or -1; and the focus saved where its item goes away. */
function useFocused<T>(
  box: { current: HTMLElement | null },
  items: readonly T[],
  keyOf: (item: T) => string,
) {
  const [key, setKey] = useState<string | null>(null);
  const index = key === null ? -1 : items.findIndex((item) => keyOf(item) === key);
  useEffect(() => {
    if (key === null || index >= 0) return;
    setKey(null);
    // The item went away with the focus in it: reading goes on where it was.
    if (document.activeElement !== document.body) return;
    box.current?.querySelector('ul')?.focus({ preventScroll: true });
  }, [key, index, box]);
  return { index, setKey };
}

interface ListFacts {
  label: string | undefined;
  count: number;
  gapPx: number;
  onFocus(index: number): void;
  /** `next`: what has the focus now. */
  onBlur(next: Element | null): void;
}

const ListContext = createContext<ListFacts | null>(null);

function useFacts(): ListFacts {
  const facts = useContext(ListContext);
  if (!facts) throw new Error('There is no list around it.');
  return facts;
}

function Container({ ref, style, children }: CustomContainerComponentProps) {
  const { label } = useFacts();
  // The library lets no press through until it is sure that the scrolling is over; ours are too dear.
  const looks = { ...style, pointerEvents: 'auto' } as const;
  return (
    // biome-ignore lint/a11y/noRedundantRoles: Safari takes a list without bullets for none.
    <ul ref={ref} role="list" className={css.list} aria-label={label} tabIndex={-1} style={looks}>
      {children}
    </ul>
  );
}

function Item({ ref, style, index, children }: CustomItemComponentProps) {
  const { count, gapPx, onFocus, onBlur } = useFacts();
  return (
    <li
      ref={ref}
      className={css.item}
      style={style}
      aria-setsize={count}
      aria-posinset={index + 1}
      onFocus={() => onFocus(index)}
      onBlur={({ relatedTarget }) => onBlur(relatedTarget)}
    >
      {/* Not the item's own padding, which the library does not measure. */}
      <div style={{ paddingBottom: index < count - 1 ? gapPx : 0 }}>{children}</div>
    </li>
  );
}

export function VirtualList<T>(props: VirtualListProps<T>) {
  const { items, keyOf, render, estimatePx, gapPx = 16, label } = props;
  const { box, place } = usePlace();
  const scroller = useRef<HTMLElement>(null);
  scroller.current = place?.scroller ?? null;
  const { index: focused, setKey: setFocusedKey } = useFocused(box, items, keyOf);
  const count = items.length;
  const kept = useMemo(() => {
    if (count <= shortCount) return Array.from({ length: count }, (_, at) => at);
    if (focused < 0) return [];
    return [focused - 1, focused, focused + 1].filter((at) => at >= 0 && at < count);
  }, [count, focused]);
  const facts: ListFacts = {
    label,
    count,
    gapPx,
    onFocus: (index) => setFocusedKey(keyOf(items[index] as T)),
    onBlur: (next) => {
      // Without a next one the focus may have gone with what had it: then it is saved. From item to
      // item nothing is let go, or the next would be gone before it has the focus.
      if (next && !box.current?.contains(next)) setFocusedKey(null);
    },
  };
  const { list, cache } = useScroll(place?.scroller, soughtIndexOf(props));
  return (
    <div ref={box}>
      <ListContext value={facts}>
        {place && (
          <Virtualizer
            ref={list}
            as={Container}
            item={Item}
            data={items}
            scrollRef={scroller}
            startMargin={place.topPx}
            itemSize={estimatePx + gapPx}
            bufferSize={bufferPx}
            keepMounted={kept}
            {...(cache && { cache })}
          >
            {(item) => <Fragment key={keyOf(item)}>{render(item)}</Fragment>}
          </Virtualizer>
        )}
      </ListContext>
    </div>
  );
}

/** -1 where none is sought, or it is not there yet. */
function soughtIndexOf<T>({ items, keyOf, soughtKey }: VirtualListProps<T>): number {
  return soughtKey === undefined ? -1 : items.findIndex((item) => keyOf(item) === soughtKey);
}

/** Where the list was left, or at what is sought; noted for the way back when the list goes. */
function useScroll(scroller: HTMLElement | undefined, soughtIndex: number) {
  const list = useRef<VirtualizerHandle>(null);
  // As it was mounted: at its end the history is elsewhere already.
  const [entry] = useState(historyEntry);
  const [recalled] = useState(() => recallScroll(entry));
  const isPlaced = useRef(false);
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
    list.current?.scrollToIndex(soughtIndex, { align: 'center' });
  }, [scroller, soughtIndex]);
  useEffect(() => {
    const { current: handle } = list;
    if (!scroller || !handle) return;
    let topPx = scroller.scrollTop;
    const note = () => {
      topPx = scroller.scrollTop;
    };
    scroller.addEventListener('scroll', note, { passive: true });
    return () => {
      scroller.removeEventListener('scroll', note);
      // Not as it is now: what is being taken off the page has lost its height.
      rememberScroll(entry, { topPx, measured: handle.cache });
    };
  }, [scroller, entry]);
  return { list, cache: recalled?.measured };
}
