import { useAtom } from 'jotai';
import { UserPlus, Users, UserX } from 'lucide-react';
import { useDeferredValue, useMemo } from 'react';
import { Link } from 'react-router-dom';
import { roles } from '#contract/user.ts';
import { canAdministerUsers } from '#domain/policy.ts';
import { useActor } from '#live/use-actor.ts';
import { type UsersPull, useUsers, useUsersPull } from '#live/use-users.ts';
import { everybody, type UserFilter, userFilterAtom } from '#state/user-filter.ts';
import { BackButton } from '#ui/back-button.tsx';
import { Button, buttonClass } from '#ui/button.tsx';
import { Notice, Skeletons } from '#ui/card.tsx';
import { SelectField } from '#ui/field.tsx';
import { Screen } from '#ui/screen.tsx';
import { SearchField } from '#ui/search-field.tsx';
import { VirtualList } from '#ui/virtual-list.tsx';
import { UserCard } from './user-card.tsx';
import { type Entry, entriesOf, found } from './user-rules.ts';
import css from './users.module.css';
import { words } from './words.ts';

/** A card with phone, e-mail and balance. */
const cardPx = 230;

/** /users-list: whom the signed-in user can see, out of the mirror that the engine keeps. */
export function UsersScreen() {
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
        <FoundUsers entries={entries} isAdmin={isAdmin} />
      ) : (
        <NoUsers isRead={entries !== undefined} pull={pull} />
      )}
    </Screen>
  );
}

/** Why there is nobody: not known yet, not to be had, or true. */
function NoUsers({ isRead, pull }: { isRead: boolean; pull: UsersPull }) {
  if (isRead && pull.isWhole) {
    return <Notice icon={<Users aria-hidden size={40} />} text={words.empty} />;
  }
  if (!pull.failure) return <Skeletons label={words.loading} />;
  const { kind, message } = pull.failure;
  const text = kind === 'http' && message ? message : words.failed;
  return (
    <div role="alert">
      <Notice icon={<UserX aria-hidden size={40} />} text={text} />
    </div>
  );
}

const keyOf = ({ user }: Entry) => user.id;

function FoundUsers({ entries, isAdmin }: { entries: readonly Entry[]; isAdmin: boolean }) {
  const actor = useActor();
  const [filter, setFilter] = useAtom(userFilterAtom);
  // What is typed shows at once; the list follows when there is time.
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
      <div className={css.total}>
        <p role="status">{words.count(shown.length, entries.length)}</p>
        {isNarrowed && (
          <Button tone="plain" onClick={() => setFilter(everybody)}>
            {words.clear}
          </Button>
        )}
      </div>
      {shown.length === 0 && <Notice icon={<UserX aria-hidden size={40} />} text={words.empty} />}
      {shown.length > 0 && (
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

const roleChoices = [
  { value: '', label: words.filters.allRoles },
  ...roles.map((role) => ({ value: role, label: words.roles[role] })),
];

const states = ['active', 'deactivated'] as const;
const stateChoices = [
  { value: '', label: words.filters.allStates },
  ...states.map((state) => ({ value: state, label: words.states[state] })),
];

interface FiltersProps {
  filter: UserFilter;
  onChange(filter: UserFilter): void;
}

function Filters({ filter, onChange }: FiltersProps) {
  return (
    <div className={css.filters}>
      <SelectField
        label={words.filters.role}
        name="role"
        value={filter.role}
        choices={roleChoices}
        onChange={(text) => onChange({ ...filter, role: roles.find((one) => one === text) ?? '' })}
      />
      <SelectField
        label={words.filters.state}
        name="state"
        value={filter.state}
        choices={stateChoices}
        onChange={(text) =>
          onChange({ ...filter, state: states.find((one) => one === text) ?? '' })
        }
      />
    </div>
  );
}
