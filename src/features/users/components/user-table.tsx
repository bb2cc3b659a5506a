/** A dispatcher's users in a wide window. */

import { atom, useAtom } from 'jotai';
import { useDeferredValue, useMemo } from 'react';
import { roles } from '#contract/user.ts';
import { showPhone } from '#domain/contact-links.ts';
import { formatNaira, nairaToKobo } from '#domain/money.ts';
import { roleOf, type User } from '#domain/user.ts';
import { NoneFound } from '#features/users/components/none-found.tsx';
import { givenBackDays, useGivenBack } from '#features/users/hooks/use-given-back.ts';
import { useSeen } from '#features/users/hooks/use-seen.ts';
import { type Entry, found } from '#features/users/user-rules.ts';
import { desk as tableWords } from '#messages/en/desk.ts';
import { fields } from '#messages/en/fields.ts';
import { users as words } from '#messages/en/users.ts';
import { everybody, type UserFilter, userFilterAtom } from '#state/users.ts';
import { adoptStyles } from '#ui/adopt-styles.ts';
import { Badge } from '#ui/badge.tsx';
import { SearchField } from '#ui/search-field.tsx';
import layout from '#ui/stack.module.css';
import {
  CellWarning,
  Chips,
  type Column,
  type Sort,
  sortRows,
  Table,
  TableTools,
} from '#ui/table.tsx';
import styles from './user-table.css?inline';

adoptStyles(styles);

const byText = (textOf: (entry: Entry) => string) => (a: Entry, b: Entry) =>
  textOf(a).localeCompare(textOf(b), 'en');

const roleNameOf = ({ user }: Entry) => words.roles[roleOf(user.roles)];

/** When the position of a courier who shares it came is more than that the account is active. */
function Active({ user }: { user: User }) {
  const seen = useSeen(user.id);
  const count = useGivenBack(user);
  return (
    <>
      <span className={layout.soft}>{seen ?? words.states.active}</span>
      {count > 0 && <CellWarning>{words.gaveBack(count, givenBackDays)}</CellWarning>}
    </>
  );
}

const columns: readonly Column<Entry>[] = [
  {
    id: 'name',
    title: tableWords.columns.name,
    cell: ({ name }) => (
      <span className="user-name" data-initial={name.slice(0, 1).toUpperCase()}>
        {name}
      </span>
    ),
    compare: byText(({ name }) => name),
    flex: '2 1 10rem',
  },
  {
    id: 'role',
    title: words.filters.role,
    cell: (entry) => {
      const role = roleOf(entry.user.roles);
      return role === 'Customer' ? (
        <span className={layout.soft}>{roleNameOf(entry)}</span>
      ) : (
        <Badge tone={role === 'Admin' ? 'good' : 'plain'}>{roleNameOf(entry)}</Badge>
      );
    },
    compare: byText(roleNameOf),
    flex: '0 0 10rem',
  },
  {
    id: 'state',
    title: words.filters.state,
    cell: ({ user }) =>
      user.isActive ? <Active user={user} /> : <Badge tone="bad">{words.states.deactivated}</Badge>,
    compare: (a, b) => Number(b.user.isActive) - Number(a.user.isActive),
    flex: '0 0 11rem',
  },
  {
    id: 'phone',
    title: fields.labels.phoneNumber,
    cell: ({ user }) =>
      showPhone(user.phoneNumber ?? '') || <span className={layout.soft}>{words.noPhone}</span>,
    compare: byText(({ phones }) => phones),
    flex: '1 1 9rem',
  },
  {
    id: 'email',
    title: fields.labels.email,
    cell: ({ user }) => user.email,
    compare: byText(({ user }) => user.email ?? ''),
    flex: '2 1 10rem',
    needs: 'room',
  },
  {
    id: 'balance',
    title: tableWords.columns.balance,
    cell: ({ user }) => user.balance !== null && formatNaira(nairaToKobo(user.balance)),
    compare: (a, b) => (a.user.balance ?? 0) - (b.user.balance ?? 0),
    flex: '0 0 8rem',
    needs: 'room',
    isNumber: true,
  },
];

const sortAtom = atom<Sort>(null);

/** One chip is of a role or of a state; '' is everybody. */
const filters: readonly (readonly [string, string, Partial<UserFilter>])[] = [
  ['', tableWords.all, {}],
  ...roles.map((role) => [role, words.roles[role], { role }] as const),
  ['deactivated', words.states.deactivated, { state: 'deactivated' }],
];

export function UserTable({ entries }: { entries: readonly Entry[] }) {
  const [filter, setFilter] = useAtom(userFilterAtom);
  const [sort, setSort] = useAtom(sortAtom);
  const deferred = useDeferredValue(filter);
  const rows = useMemo(
    () => sortRows(found(entries, deferred), columns, sort),
    [entries, deferred, sort],
  );
  const chips = useMemo(
    () =>
      filters.map(([value, label, change]) => ({
        value,
        label,
        count: found(entries, { ...everybody, text: deferred.text, ...change }).length,
      })),
    [entries, deferred.text],
  );
  const choose = (chosen: string) => {
    const [, , change] = filters.find(([value]) => value === chosen) ?? [];
    setFilter({ ...everybody, text: filter.text, ...change });
  };
  return (
    <>
      <TableTools>
        <SearchField
          label={words.search}
          placeholder={words.searchPlaceholder}
          clearLabel={words.clearSearch}
          value={filter.text}
          onChange={(text) => setFilter({ ...filter, text })}
        />
        <Chips
          label={words.filters.role}
          chips={chips}
          value={filter.state || filter.role}
          onChange={choose}
        />
        <p role="status" className="visually-hidden">
          {words.count(rows.length, entries.length)}
        </p>
      </TableTools>
      {rows.length === 0 ? (
        <NoneFound />
      ) : (
        <Table
          label={words.title}
          columns={columns}
          rows={rows}
          keyOf={({ user }) => user.id}
          hrefOf={({ user }) => `/edit-user/${user.id}`}
          sort={sort}
          onSort={setSort}
        />
      )}
    </>
  );
}
