/**
 * A virtual list that scrolls with its nearest scrollable ancestor.
 *
 * Invariants: the focused item and its neighbours stay mounted however far the user scrolls, so
 * focus is never lost and Tab continues from it; a short list is rendered whole, so that the
 * browser's find works.
 */
import {
  type ComponentProps,
  createContext,
  type FocusEvent,
  Fragment,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useLocation } from 'react-router-dom';
import {
  type CacheSnapshot,
  type CustomContainerComponentProps,
  type CustomItemComponentProps,
  Virtualizer,
  type VirtualizerHandle,
} from 'virtua';
import { BesideContext } from './screen.tsx';
import { recallTop } from './scroll-memory.tsx';
import css from './virtual-list.module.css';

/** Up to this many items are rendered whole. */
const shortCount = 20;
/** Between two items. */
const gapPx = 16;
/** How far beyond the viewport items are rendered. */
const bufferPx = 800;

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

interface VirtualListProps<T> {
  items: readonly T[];
  keyOf(item: T): string;
  /** Contents of one item; the list adds the `<li>`. */
  render(item: T): ReactNode;
  /** Estimated item height until measured. */
  estimatePx: number;
  label?: string;
  /** On mount; scrolls the item with this key into view once, as soon as it exists. */
  soughtKey?: string | undefined;
  /** Rows of an element with the role of a table (ui/table.tsx) instead of a list of cards. */
  isTable?: boolean;
}

/** The nearest scrollable ancestor, or the page. */
function scrollerOf(element: HTMLElement): HTMLElement {
  for (let each = element.parentElement; each; each = each.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(each).overflowY)) return each;
  }
  return document.documentElement;
}

interface Place {
  scroller: HTMLElement;
  /** Offset of the list within the scroller. */
  topPx: number;
}

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
    // Content above the list that grows or disappears resizes the parent.
    const observer = new ResizeObserver(measure);
    observer.observe(around);
    return () => observer.disconnect();
  }, []);
  return { box, place };
}

/** Index of the focused item, or -1; moves focus to the list if that item is removed. */
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
    // The item was removed with the focus in it: keep the reading position.
    if (document.activeElement !== document.body) return;
    box.current?.querySelector<HTMLElement>('[data-rows]')?.focus({ preventScroll: true });
  }, [key, index, box]);
  return { index, setKey };
}

interface ListFacts {
  isTable: boolean;
  label: string | undefined;
  count: number;
  /** The index of the item that has the focus, or -1. */
  focused: number;
  /** Of the item that is open beside the list, or -1. */
  open: number;
  onFocus(index: number): void;
  /** `next`: the newly focused element. */
  onBlur(next: Element | null): void;
}

const ListContext = createContext<ListFacts | null>(null);

function useFacts(): ListFacts {
  const facts = useContext(ListContext);
  if (!facts) throw new Error('Rendered outside a VirtualList.');
  return facts;
}

/** A `<tr>` could not be rendered at an offset of its own, so a table's parts have only its roles. */
export function TablePart({ role, ...props }: ComponentProps<'div'> & { role: string }) {
  return <div role={role} {...props} />;
}

function Container({ ref, style, children }: CustomContainerComponentProps) {
  const { label, isTable } = useFacts();
  // virtua disables pointer events until scrolling has settled, which would swallow presses.
  const looks = { ...style, pointerEvents: 'auto' } as const;
  const own = { className: css.list, tabIndex: -1, style: looks, 'data-rows': '' };
  if (isTable) {
    return (
      <TablePart ref={ref} role="rowgroup" {...own}>
        {children}
      </TablePart>
    );
  }
  return (
    // biome-ignore lint/a11y/noRedundantRoles: Safari takes a list without bullets for none.
    <ul ref={ref} role="list" aria-label={label} {...own}>
      {children}
    </ul>
  );
}

function Item({ ref, style, index, children }: CustomItemComponentProps) {
  const { isTable, count, focused, open, onFocus, onBlur } = useFacts();
  // The library hides an item until it has measured it, a frame later; Tab skips what is hidden.
  const isReachable = focused >= 0 && Math.abs(index - focused) <= 1;
  const own = {
    className: css.item,
    style: isReachable ? { ...style, visibility: 'visible' as const } : style,
    'aria-current': index === open || undefined,
    'data-row': '',
    onFocus: () => onFocus(index),
    onBlur: ({ relatedTarget }: FocusEvent) => onBlur(relatedTarget),
  };
  if (isTable) {
    return (
      // The first row of the table is its header.
      <TablePart ref={ref} role="row" aria-rowindex={index + 2} {...own}>
        {children}
      </TablePart>
    );
  }
  return (
    <li ref={ref} aria-setsize={count} aria-posinset={index + 1} {...own}>
      {/* Not on the item itself, whose padding virtua does not measure. */}
      <div style={{ paddingBottom: index < count - 1 ? gapPx : 0 }}>{children}</div>
    </li>
  );
}

export function VirtualList<T>(props: VirtualListProps<T>) {
  const { items, keyOf, render, estimatePx, label, isTable = false } = props;
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
  const openKey = useContext(BesideContext);
  const facts: ListFacts = {
    isTable,
    label,
    count,
    focused,
    open: openKey === null ? -1 : items.findIndex((item) => keyOf(item) === openKey),
    onFocus: (index) => setFocusedKey(keyOf(items[index] as T)),
    onBlur: (next) => {
      // Without `next`, the focus may have been lost with its element (useFocused recovers it).
      // Between items the key stays, or the next item could be unmounted before it has focus.
      if (next && !box.current?.contains(next)) setFocusedKey(null);
    },
  };
  const { list, cache } = useScroll(place?.scroller, useSoughtIndex(props), isTable);
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
            itemSize={isTable ? estimatePx : estimatePx + gapPx}
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

/** -1 if none is sought or it does not exist yet. What is opened later is in view already. */
function useSoughtIndex<T>({ items, keyOf, soughtKey }: VirtualListProps<T>): number {
  const [key] = useState(soughtKey);
  return key === undefined ? -1 : items.findIndex((item) => keyOf(item) === key);
}

/**
 * Returns to the entry's position (ui/scroll-memory.tsx) in the commit that gives it its height, or
 * scrolls to the sought item; keeps the measured heights on unmount.
 */
function useScroll(scroller: HTMLElement | undefined, soughtIndex: number, isTable: boolean) {
  const list = useRef<VirtualizerHandle>(null);
  // Read on mount: at unmount the history has moved on.
  const { key } = useLocation();
  const [entry] = useState(key);
  // Rows and cards differ in height.
  const heights = `${entry}${isTable ? ' rows' : ''}`;
  const [measured] = useState(() => measuredByEntry.get(heights));
  const isPlaced = useRef(false);
  const isBegun = useRef(false);
  useLayoutEffect(() => {
    if (!scroller || isBegun.current) return;
    isBegun.current = true;
    // Another list may have scrolled the same scroller.
    scroller.scrollTop = recallTop(entry) ?? 0;
    isPlaced.current = measured !== undefined;
  }, [scroller, entry, measured]);
  useLayoutEffect(() => {
    if (!scroller || isPlaced.current || soughtIndex < 0) return;
    isPlaced.current = true;
    list.current?.scrollToIndex(soughtIndex, { align: 'center' });
  }, [scroller, soughtIndex]);
  useEffect(() => {
    const { current: handle } = list;
    if (!scroller || !handle) return;
    return () => rememberMeasured(heights, handle.cache);
  }, [scroller, heights]);
  return { list, cache: measured };
}
