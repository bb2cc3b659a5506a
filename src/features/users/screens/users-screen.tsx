import { useAtom } from 'jotai';
import { UserPlus, Users, UserX } from 'lucide-react';
import { useDeferredValue, useMemo } from 'react';
import { Link } from 'react-router-dom';
import { roles } from '#contract/user.ts';
import { useActor } from '#data/use-actor.ts';
import { useRefresh } from '#data/use-connection.ts';
import { type UsersPull, useUsers, useUsersPull } from '#data/use-users.ts';
import { type Failure, isUnanswered } from '#domain/outcome.ts';
import { canAdministerUsers } from '#domain/user-policy.ts';
import { NoneFound } from '#features/users/components/none-found.tsx';
import { UserCard } from '#features/users/components/user-card.tsx';
import { type Entry, entriesOf, failureText, found } from '#features/users/user-rules.ts';
import css from '#features/users/users.module.css';
import { users as words } from '#messages/en/users.ts';
import { everybody, type UserFilter, userFilterAtom } from '#state/users.ts';
import { BackButton } from '#ui/back-button.tsx';
import { Button, buttonClass } from '#ui/button.tsx';
import { Notice, RetryNotice, Skeletons } from '#ui/card.tsx';
import { SelectField } from '#ui/field.tsx';
import { Screen } from '#ui/screen.tsx';
import { SearchField } from '#ui/search-field.tsx';
import layout from '#ui/stack.module.css';
import { VirtualList } from '#ui/virtual-list.tsx';

/** Height of a card with phone, e-mail and balance. */
const cardPx = 148;

/** `List`: a desk may have a table instead. */
export function UsersScreen({ List = FoundUsers }: { List?: typeof FoundUsers }) {
  const actor = useActor();
  const isAdmin = canAdministerUsers(actor).isAllowed;
  const users = useUsers();
  const pull = useUsersPull();
  const entries = useMemo(() => users && entriesOf(users), [users]);
  return (
    <Screen
      title={words.title}
      lead={<BackButton label={words.back} to="/account" />}
      aside={
        isAdmin && (
          <Link className={buttonClass('plain')} to="/new-user">
            <UserPlus aria-hidden size={20} />
            {words.add}
          </Link>
        )
      }
    >
      {entries && entries.length > 0 ? (
        <>
          {pull.ownFailure && !isUnanswered(pull.ownFailure) && (
            <Failed failure={pull.ownFailure} />
          )}
          <List entries={entries} isAdmin={isAdmin} />
        </>
      ) : (
        <NoUsers isRead={entries !== undefined} pull={pull} />
      )}
    </Screen>
  );
}

/** Tells apart: not loaded yet, failed, really none. */
function NoUsers({ isRead, pull }: { isRead: boolean; pull: UsersPull }) {
  if (isRead && pull.isWhole) {
    return <Notice icon={<Users aria-hidden size={40} />} title={words.empty} />;
  }
  return pull.failure ? <Failed failure={pull.failure} /> : <Skeletons label={words.loading} />;
}

/** Also above an outdated list that failed to refresh; without a network a line says so. */
function Failed({ failure }: { failure: Failure }) {
  const { isBusy, refresh } = useRefresh(() => undefined);
  return (
    <RetryNotice
      icon={<UserX aria-hidden size={40} />}
      title={failureText(failure)}
      label={words.retry}
      isBusy={isBusy}
      onRetry={refresh}
    />
  );
}

const keyOf = ({ user }: Entry) => user.id;

function FoundUsers({ entries, isAdmin }: { entries: readonly Entry[]; isAdmin: boolean }) {
  const actor = useActor();
  const [filter, setFilter] = useAtom(userFilterAtom);
  // Keeps typing responsive while the list renders.
  const deferred = useDeferredValue(filter);
  const shown = useMemo(() => found(entries, deferred), [entries, deferred]);
  const isNarrowed = filter.text !== '' || filter.role !== '' || filter.state !== '';
  return (
    <>
      <SearchField
        label={words.search}
        placeholder={words.searchPlaceholder}
        clearLabel={words.clearSearch}
        value={filter.text}
        onChange={(text) => setFilter({ ...filter, text })}
      />
      {isAdmin && <Filters filter={filter} onChange={setFilter} />}
      <div className={`${layout.spread} ${layout.soft} ${css.total}`}>
        <p role="status">{words.count(shown.length, entries.length)}</p>
        {isNarrowed && shown.length > 0 && (
          <Button tone="plain" onClick={() => setFilter(everybody)}>
            {words.clear}
          </Button>
        )}
      </div>
      {shown.length === 0 ? (
        <NoneFound />
      ) : (
        <VirtualList
          items={shown}
          keyOf={keyOf}
          estimatePx={cardPx}
          label={words.title}
          render={({ user, name }) => <UserCard user={user} name={name} actor={actor} />}
        />
      )}
    </>
  );
}

const filters = [
  {
    name: 'role',
    choices: [
      { value: '', label: words.filters.allRoles },
      ...roles.map((role) => ({ value: role, label: words.roles[role] })),
    ],
  },
  {
    name: 'state',
    choices: [
      { value: '', label: words.filters.allStates },
      { value: 'active', label: words.states.active },
      { value: 'deactivated', label: words.states.deactivated },
    ],
  },
] as const;

interface FiltersProps {
  filter: UserFilter;
  onChange(filter: UserFilter): void;
}

function Filters({ filter, onChange }: FiltersProps) {
  return (
    <div className={`${layout.grid} ${css.filters}`}>
      {filters.map(({ name, choices }) => (
        <SelectField
          key={name}
          label={words.filters[name]}
          name={name}
          value={filter[name]}
          choices={choices}
          onChange={(value) => onChange({ ...filter, [name]: value })}
        />
      ))}
    </div>
  );
}
