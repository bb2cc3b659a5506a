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
  startTransition,
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
} from 'virtua';
import { afterFirstScreen } from './first-screen.ts';
import { useListPlace, useListScroll } from './list-scroll.ts';
import { BesideContext } from './screen.tsx';
import css from './virtual-list.module.css';

/** Up to this many items are rendered whole. */
const shortCount = 20;
/** Between two items. */
const gapPx = 16;

/** Cards side by side where no detail is beside them (app/shell/desk.tsx); a phone has one. */
export const ColumnsContext = createContext(1);
/** How far beyond the viewport items are rendered, once those in it are painted. */
const bufferPx = 800;

interface VirtualListProps<T> {
  items: readonly T[];
  keyOf(item: T): string;
  /** Contents of one item; the list adds the element around it. */
  render(item: T): ReactNode;
  /** Above an item, and as wide as the list: such an item begins a row. */
  headingOf?: ((item: T) => ReactNode) | undefined;
  /** Estimated item height until measured. */
  estimatePx: number;
  label?: string;
  /** On mount; scrolls the item with this key into view once, as soon as it exists. */
  soughtKey?: string | undefined;
  /** Rows of an element with the role of a table (ui/table.tsx) instead of a list of cards. */
  isTable?: boolean;
}

/** False in the first frame, which a cheap phone paints the sooner the fewer cards it has. */
function useIsPainted(): boolean {
  const [isPainted, setIsPainted] = useState(false);
  useEffect(() => {
    let isGone = false;
    void afterFirstScreen().then(() => {
      if (!isGone) startTransition(() => setIsPainted(true));
    });
    return () => {
      isGone = true;
    };
  }, []);
  return isPainted;
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

interface RowOf<T> {
  items: T[];
  /** The index of the first of them. */
  at: number;
}

function rowsOf<T>(
  items: readonly T[],
  columns: number,
  headingOf?: (item: T) => ReactNode,
): readonly RowOf<T>[] {
  const rows: RowOf<T>[] = [];
  items.forEach((item, at) => {
    const last = rows.at(-1);
    if (last && last.items.length < columns && !headingOf?.(item)) last.items.push(item);
    else rows.push({ items: [item], at });
  });
  return rows;
}

/** The row of the item at `index`, or -1. */
const rowAt = (rows: readonly RowOf<unknown>[], index: number) =>
  rows.findIndex(({ items, at }) => index >= at && index < at + items.length);

interface ListFacts {
  isTable: boolean;
  columns: number;
  label: string | undefined;
  rows: readonly RowOf<unknown>[];
  count: number;
  /** The index of the row that has the focus, or -1. */
  focused: number;
  /** Index of the item open beside the list, or -1. */
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

/**
 * A `<tr>` could not be rendered at an offset of its own, and a row of cards comes between a list and
 * its items, so both have only the roles.
 */
export function TablePart({ role, ...props }: ComponentProps<'div'> & { role: string }) {
  return <div role={role} {...props} />;
}

function Container({ ref, style, children }: CustomContainerComponentProps) {
  const { label, isTable } = useFacts();
  // virtua disables pointer events until scrolling has settled, which would swallow presses.
  const looks = { ...style, pointerEvents: 'auto' } as const;
  const own = { className: css.list, tabIndex: -1, style: looks, 'data-rows': '' };
  const named = isTable ? { role: 'rowgroup' } : { role: 'list', 'aria-label': label };
  return (
    <TablePart ref={ref} {...named} {...own}>
      {children}
    </TablePart>
  );
}

/** Attributes of an item, a table's row or a card. */
function itemOf({ open, onFocus, onBlur }: ListFacts, index: number) {
  return {
    'aria-current': index === open || undefined,
    'data-row': '',
    onFocus: () => onFocus(index),
    onBlur: ({ relatedTarget }: FocusEvent) => onBlur(relatedTarget),
  };
}

/** A row of a table, or of cards side by side. */
function Row({ ref, style, index, children }: CustomItemComponentProps) {
  const facts = useFacts();
  const { isTable, rows, focused } = facts;
  // The library hides an item until it has measured it, a frame later; Tab skips what is hidden.
  const isReachable = focused >= 0 && Math.abs(index - focused) <= 1;
  const looks = {
    className: css.item,
    style: isReachable ? { ...style, visibility: 'visible' as const } : style,
  };
  if (isTable) {
    return (
      // The first row of the table is its header.
      <TablePart
        ref={ref}
        role="row"
        aria-rowindex={index + 2}
        {...looks}
        {...itemOf(facts, index)}
      >
        {children}
      </TablePart>
    );
  }
  return (
    <TablePart ref={ref} role="none" {...looks}>
      {/* Not on the item itself, whose padding virtua does not measure. */}
      <div style={{ paddingBottom: index < rows.length - 1 ? gapPx : 0 }}>{children}</div>
    </TablePart>
  );
}

/** One of the cards of a row. */
function Card({ index, children }: { index: number; children: ReactNode }) {
  const facts = useFacts();
  const place = { 'aria-setsize': facts.count, 'aria-posinset': index + 1 };
  return (
    <TablePart role="listitem" {...place} {...itemOf(facts, index)}>
      {children}
    </TablePart>
  );
}

export function VirtualList<T>(props: VirtualListProps<T>) {
  const { items, keyOf, render, headingOf, estimatePx, label, isTable = false } = props;
  const place = useListPlace();
  const { box, scroller, topPx, roomPx } = place;
  const { index: focused, setKey: setFocusedKey } = useFocused(box, items, keyOf);
  const most = useContext(ColumnsContext);
  const columns = isTable ? 1 : most;
  const rows = useMemo(() => rowsOf(items, columns, headingOf), [items, columns, headingOf]);
  const count = items.length;
  const focusedRow = rowAt(rows, focused);
  const openKey = useContext(BesideContext);
  const lastOpen = useRef(openKey);
  if (openKey) lastOpen.current = openKey;
  const { current: lastKey } = lastOpen;
  const lastRow = useMemo(
    () =>
      lastKey ? rows.findIndex((row) => row.items.some((item) => keyOf(item) === lastKey)) : -1,
    [rows, lastKey, keyOf],
  );
  const isPainted = useIsPainted();
  const itemPx = isTable ? estimatePx : estimatePx + gapPx;
  // A table is as high as its window, which may wait a second for an idle page.
  const [firstPx] = useState(() => (isTable ? window.innerHeight : bufferPx));
  const firstCount = Math.ceil(firstPx / itemPx);
  const fullCount = Math.ceil(roomPx / itemPx);
  const kept = useMemo(() => {
    if (isPainted && count <= shortCount) return rows.map((_, at) => at);
    const around = focusedRow < 0 ? [] : [focusedRow - 1, focusedRow, focusedRow + 1];
    // The library renders no more than its first ones before the first scroll.
    const more = isPainted ? fullCount - firstCount : 0;
    const others = Array.from({ length: more }, (_, at) => firstCount + at);
    return [...new Set([...others, ...around, lastRow])].filter(
      (at) => at >= 0 && at < rows.length,
    );
  }, [isPainted, count, rows, focusedRow, lastRow, firstCount, fullCount]);
  const facts: ListFacts = {
    isTable,
    columns,
    label,
    rows,
    count,
    focused: focusedRow,
    open: openKey === null ? -1 : items.findIndex((item) => keyOf(item) === openKey),
    onFocus: (index) => setFocusedKey(keyOf(items[index] as T)),
    onBlur: (next) => {
      // Without `next`, the focus may have been lost with its element (useFocused recovers it).
      // Between items the key stays, or the next item could be unmounted before it has focus.
      if (next && !box.current?.contains(next)) setFocusedKey(null);
    },
  };
  const sought = rowAt(rows, useSoughtIndex(props, openKey));
  // Rows and cards differ in height.
  const { list, cache } = useListScroll(
    place,
    sought,
    isTable ? 'rows' : columns,
    Boolean(openKey),
  );
  /** The first item in view. */
  const seen = useRef(0);
  const isPrepended = useIsPrepended(rows, keyOf) && seen.current > 0;
  const shownColumns = useRef(columns);
  useLayoutEffect(() => {
    if (shownColumns.current === columns) return;
    shownColumns.current = columns;
    // As a detail opens or closes: its card stays in view, else the first one that was.
    if (lastRow >= 0) list.current?.scrollToIndex(lastRow, { align: 'center' });
    else if (seen.current > 0) list.current?.scrollToIndex(rowAt(rows, seen.current));
  }, [columns, rows, lastRow, list]);
  const sideBySide = columns > 1 && {
    className: 'desk-row',
    style: { gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` },
  };
  return (
    <div ref={box}>
      <ListContext value={facts}>
        <Virtualizer
          key={columns}
          ref={list}
          as={Container}
          item={Row}
          data={rows}
          scrollRef={scroller}
          startMargin={topPx}
          itemSize={itemPx}
          ssrCount={cache ? 0 : firstCount}
          bufferSize={isPainted ? bufferPx : 0}
          keepMounted={kept}
          shift={isPrepended}
          onScroll={(offset) => {
            seen.current = rows[list.current?.findItemIndex(offset) ?? 0]?.at ?? 0;
          }}
          {...(cache && { cache })}
        >
          {({ items: cards, at }) => {
            const first = cards[0] as T;
            if (isTable) return <Fragment key={keyOf(first)}>{render(first)}</Fragment>;
            const heading = headingOf?.(first);
            return (
              <Fragment key={keyOf(first)}>
                {/* A list may have it only as one of its items. */}
                {heading && <TablePart role="listitem">{heading}</TablePart>}
                <div {...sideBySide}>
                  {cards.map((item, nth) => (
                    <Card key={keyOf(item)} index={at + nth}>
                      {render(item)}
                    </Card>
                  ))}
                </div>
              </Fragment>
            );
          }}
        </Virtualizer>
      </ListContext>
    </div>
  );
}

/** Only rows inserted above the first one: the rows in view keep their place. */
function useIsPrepended<T>(rows: readonly RowOf<T>[], keyOf: (item: T) => string): boolean {
  const before = useRef(rows);
  useLayoutEffect(() => {
    before.current = rows;
  }, [rows]);
  const headOf = ([row]: readonly RowOf<T>[]) => row && keyOf(row.items[0] as T);
  const added = rows.length - before.current.length;
  return added > 0 && headOf(rows.slice(added)) === headOf(before.current);
}

/** -1 if none is sought or it does not exist yet. An item opened later is already in view. */
function useSoughtIndex<T>(
  { items, keyOf, soughtKey }: VirtualListProps<T>,
  openKey: string | null,
): number {
  const [key] = useState(openKey || soughtKey);
  return key === undefined ? -1 : items.findIndex((item) => keyOf(item) === key);
}
