/** A dispatcher's table: rows of at least 44 px that are links. */
import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { adoptStyles } from './adopt-styles.ts';
import { Button } from './button.tsx';
import layout from './stack.module.css';
import styles from './table.css?inline';
import { TablePart, VirtualList } from './virtual-list.tsx';

adoptStyles(styles);

export interface Column<Row> {
  id: string;
  title: string;
  cell(row: Row): ReactNode;
  compare(a: Row, b: Row): number;
  /** Grow, shrink and basis. */
  flex: string;
  /** Beside an open detail it is hidden: 'room' on a small screen, 'much room' on a large one too. */
  needs?: 'room' | 'much room';
  isNumber?: boolean;
  /** Takes two lines. */
  isLong?: boolean;
}

/** Null: the order of the rows themselves. */
export type Sort = { column: string; isDescending: boolean } | null;

/** Ascending, descending, then the rows' own order. */
function nextSort(sort: Sort, column: string): Sort {
  if (sort?.column !== column) return { column, isDescending: false };
  return sort.isDescending ? null : { column, isDescending: true };
}

export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sort: Sort,
): readonly Row[] {
  const compare = columns.find(({ id }) => id === sort?.column)?.compare;
  if (!sort || !compare) return rows;
  return [...rows].sort((a, b) => (sort.isDescending ? compare(b, a) : compare(a, b)));
}

const rowPx = 44;

interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  /** In the order of `sort`. */
  rows: readonly Row[];
  keyOf(row: Row): string;
  hrefOf(row: Row): string;
  sort: Sort;
  onSort(sort: Sort): void;
  /** Scrolls to this row when the table opens. */
  soughtKey?: string | undefined;
}

export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, rows, sort, onSort, hrefOf } = props;
  const looks = ({ flex, needs, isNumber, isLong }: Column<Row>) => ({
    className: 'table-cell',
    style: { flex },
    'data-needs': needs,
    'data-number': isNumber,
    'data-long': isLong,
  });
  return (
    <TablePart role="table" className="table" aria-label={label} aria-rowcount={rows.length + 1}>
      <TablePart role="rowgroup" className="table-head">
        <TablePart role="row" aria-rowindex={1}>
          {columns.map((column) => {
            const isSorted = sort?.column === column.id;
            const Arrow = isSorted && sort.isDescending ? ArrowDown : ArrowUp;
            const order = isSorted && (sort.isDescending ? 'descending' : 'ascending');
            return (
              <TablePart
                key={column.id}
                role="columnheader"
                aria-sort={order || 'none'}
                {...looks(column)}
              >
                <button type="button" onClick={() => onSort(nextSort(sort, column.id))}>
                  {column.title}
                  <Arrow aria-hidden size={16} data-on={isSorted} />
                </button>
              </TablePart>
            );
          })}
        </TablePart>
      </TablePart>
      <VirtualList
        isTable
        items={rows}
        keyOf={props.keyOf}
        estimatePx={rowPx}
        soughtKey={props.soughtKey}
        render={(row) =>
          columns.map((column, at) => (
            <TablePart key={column.id} role="cell" dir="auto" {...looks(column)}>
              {at === 0 ? <Link to={hrefOf(row)}>{column.cell(row)}</Link> : column.cell(row)}
            </TablePart>
          ))
        }
      />
    </TablePart>
  );
}

/** A second line of a cell, which its row makes room for. */
export function CellWarning({ children }: { children: ReactNode }) {
  return <span className="table-warning">{children}</span>;
}

/** Search and filters above a table. */
export function TableTools({ children }: { children: ReactNode }) {
  return <div className={`${layout.row} table-tools`}>{children}</div>;
}

export interface Chip {
  value: string;
  label: string;
  count: number;
}

interface ChipsProps {
  label: string;
  chips: readonly Chip[];
  value: string;
  onChange(value: string): void;
}

/** Filters of which one is chosen, each with the number of rows it leaves. */
export function Chips({ label, chips, value, onChange }: ChipsProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form.
    <div role="group" className={`${layout.row} table-chips`} aria-label={label}>
      {chips.map((chip) => (
        <Button
          key={chip.value}
          tone="quiet"
          aria-pressed={chip.value === value}
          onClick={() => onChange(chip.value)}
        >
          {chip.label} <span>{chip.count.toLocaleString('en-NG')}</span>
        </Button>
      ))}
    </div>
  );
}
