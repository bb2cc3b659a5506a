/** A dispatcher's packages in a wide window: the list's tabs, search and filters over a table. */

import { atom, useAtom, useAtomValue } from 'jotai';
import { type ComponentProps, useMemo } from 'react';
import { serverNow } from '#data/use-now.ts';
import { once } from '#domain/dates.ts';
import { formatCount, formatNaira } from '#domain/money.ts';
import type { PackageView } from '#domain/overlay.ts';
import { dueAt } from '#domain/stops.ts';
import { displayName } from '#domain/user.ts';
import { useListChoice } from '#features/package-list/hooks/use-list-choice.ts';
import { desk as tableWords } from '#messages/en/desk.ts';
import { fields } from '#messages/en/fields.ts';
import { packages as words } from '#messages/en/packages.ts';
import { MarkChip, StatusBadge } from '#package-ui/badges.tsx';
import {
  choiceLabel,
  chosen,
  foundElsewhere,
  isNarrowed,
  type SearchedTab,
  statusChoices,
} from '#package-ui/list-rules.ts';
import { moneyState } from '#package-ui/price.tsx';
import { When } from '#package-ui/stops.tsx';
import { noFilters, selectedPackageAtom } from '#state/package-ui.ts';
import { Badge } from '#ui/badge.tsx';
import { SearchField } from '#ui/search-field.tsx';
import layout from '#ui/stack.module.css';
import { Chips, type Column, type Sort, sortRows, Table, TableTools } from '#ui/table.tsx';
import { EmptyList, NoMatch, PackageList } from './package-list.tsx';

const names = once(() => new Intl.Collator('en', { sensitivity: 'base', numeric: true }));

/** By the text that a column shows; none comes last. */
const byText =
  (textOf: (view: PackageView) => string | null) =>
  (a: PackageView, b: PackageView): number => {
    const [one, other] = [textOf(a), textOf(b)];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return names().compare(one, other);
  };

const courierOf = ({ courier }: PackageView) => courier && displayName(courier);
const statuses: readonly PackageView['status'][] = [
  'pending',
  'in-transit',
  'delivered',
  'cancelled',
];

function Status({ view }: { view: PackageView }) {
  if (view.mark !== 'none') return <MarkChip view={view} />;
  return view.dispute ? <Badge tone="warn">{words.problem}</Badge> : <StatusBadge view={view} />;
}

/** Money state; with nothing paid or missing, the payment method in fewer words than on a card. */
function paymentOf(view: PackageView) {
  const [text, tone] = moneyState(view);
  const { paymentMethod: method } = view;
  const isMethod = method && text === fields.methods[method];
  return [isMethod ? tableWords.methods[method] : text, tone] as const;
}

function Payment({ view }: { view: PackageView }) {
  const [text, tone] = paymentOf(view);
  return <Badge tone={tone}>{text}</Badge>;
}

/** When it is awaited at its next stop. */
function Due({ view }: { view: PackageView }) {
  const due = dueAt(view);
  return due === null ? '—' : <When iso={due} isDue />;
}

const dueMs = (view: PackageView) => {
  const iso = dueAt(view);
  return iso === null ? Number.POSITIVE_INFINITY : Date.parse(iso);
};

const columns: readonly Column<PackageView>[] = [
  {
    id: 'number',
    title: tableWords.columns.number,
    cell: ({ packageId }) => packageId || words.noNumber,
    compare: byText(({ packageId }) => packageId || null),
    flex: '0 0 6.25rem',
  },
  {
    id: 'status',
    title: tableWords.columns.status,
    cell: (view) => <Status view={view} />,
    compare: (a, b) => statuses.indexOf(a.status) - statuses.indexOf(b.status),
    flex: '0 0 6.75rem',
  },
  {
    id: 'pickup',
    title: words.pickup,
    cell: ({ pickupAddress }) => pickupAddress,
    compare: byText(({ pickupAddress }) => pickupAddress),
    flex: '3 1 10rem',
    isLong: true,
  },
  {
    id: 'delivery',
    title: words.delivery,
    cell: ({ deliveryAddress }) => deliveryAddress,
    compare: byText(({ deliveryAddress }) => deliveryAddress),
    flex: '3 1 10rem',
    isLong: true,
    needs: 'room',
  },
  {
    id: 'due',
    title: tableWords.columns.due,
    cell: (view) => <Due view={view} />,
    compare: (a, b) => dueMs(a) - dueMs(b) || 0,
    flex: '0 1 8.75rem',
    isLong: true,
  },
  {
    id: 'courier',
    title: tableWords.columns.courier,
    cell: (view) => courierOf(view) ?? <span className={layout.soft}>{tableWords.unassigned}</span>,
    compare: byText(courierOf),
    flex: '1 1 7.5rem',
    isLong: true,
    needs: 'room',
  },
  {
    id: 'sender',
    title: words.list.sender,
    cell: ({ sender }) => displayName(sender),
    compare: byText(({ sender }) => displayName(sender)),
    flex: '1 1 7.5rem',
    isLong: true,
    needs: 'much room',
  },
  {
    id: 'payment',
    title: tableWords.columns.payment,
    cell: (view) => <Payment view={view} />,
    compare: byText((view) => paymentOf(view)[0]),
    flex: '0 0 7rem',
  },
  {
    id: 'price',
    title: tableWords.columns.price,
    cell: ({ priceOfferKobo }) => formatNaira(priceOfferKobo),
    compare: (a, b) => a.priceOfferKobo - b.priceOfferKobo,
    flex: '0 0 6rem',
    isNumber: true,
  },
];

const sortAtom = atom<Sort>(null);
/** Default order of packages without a courier. */
const byDue: Sort = { column: 'due', isDescending: false };

export function PackageTable(props: ComponentProps<typeof PackageList>) {
  const { contents } = props;
  if (!contents || contents.views.length + contents.others.length === 0) {
    return <PackageList {...props} />;
  }
  return <FullTable {...props} contents={contents} />;
}

interface FullTableProps extends ComponentProps<typeof PackageList> {
  contents: SearchedTab;
}

function FullTable({ tab, contents, hint, wayOn }: FullTableProps) {
  const { views, others } = contents;
  const choice = useListChoice(tab);
  const { settled, reader } = choice;
  const { status } = choice.current.filters;
  const selected = useAtomValue(selectedPackageAtom);
  const [chosenSort, setSort] = useAtom(sortAtom);
  const sort = chosenSort ?? (tab === 'pending' ? byDue : null);
  const { rows, isBroad } = useMemo(() => {
    const here = { nowMs: serverNow(), place: null };
    const wanted = { ...settled, sort: '' } as const;
    const own = chosen(views, wanted, here);
    const elsewhere = foundElsewhere(others, wanted, here);
    return {
      rows: [...sortRows(own, columns, sort), ...sortRows(elsewhere, columns, sort)],
      isBroad: elsewhere.length > 0,
    };
  }, [views, others, settled, sort]);
  const shown = useMemo(() => {
    if (tab !== 'pending' || isBroad) return columns;
    // Nothing that is pending has a courier, and its status is the tab's unless it has a mark.
    const isMarked = views.some(({ mark }) => mark !== 'none');
    return columns.filter(({ id }) => id !== 'courier' && (id !== 'status' || isMarked));
  }, [tab, isBroad, views]);
  const chips = useMemo(() => {
    const here = { nowMs: serverNow(), place: null };
    const countOf = (value: string) =>
      chosen(views, { query: '', sort: '', filters: { ...noFilters, status: value } }, here).length;
    return [
      { value: '', label: words.tabs.all, count: views.length },
      ...statusChoices(tab, reader).map((value) => ({
        value,
        label: choiceLabel(value),
        count: countOf(value),
      })),
    ];
  }, [views, tab, reader]);
  return (
    <>
      <TableTools>
        <SearchField
          label={words.list.search}
          clearLabel={words.list.clearSearch}
          placeholder={words.list.placeholder}
          value={choice.query}
          onChange={choice.setQuery}
        />
        {views.length > 0 && (
          <Chips
            label={words.list.status}
            chips={chips}
            value={status}
            onChange={(value) => choice.setFilter({ status: value })}
          />
        )}
        <p role="status" className="visually-hidden">
          {isNarrowed(settled) &&
            words.list.shown(
              formatCount(rows.length),
              formatCount(views.length + (settled.query ? others.length : 0)),
            )}
        </p>
      </TableTools>
      {views.length === 0 && choice.query === '' && (
        <EmptyList contents={contents} hint={hint} wayOn={wayOn} />
      )}
      {rows.length === 0 && (views.length > 0 || choice.query !== '') && (
        <NoMatch choice={choice} />
      )}
      {rows.length > 0 && (
        <Table
          label={words.list.label}
          columns={shown}
          rows={rows}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => `/package-detail/${id}`}
          sort={sort}
          onSort={setSort}
          soughtKey={selected || undefined}
        />
      )}
    </>
  );
}
