/** Search, filters and order of the user list. Pure. */

import { once } from '#domain/dates.ts';
import type { Failure } from '#domain/outcome.ts';
import type { UserView } from '#domain/overlay.ts';
import { matcherOf, phoneDigits, plainText, type Searched } from '#domain/search.ts';
import { displayName, roleOf } from '#domain/user.ts';
import { users as words } from '#messages/en/users.ts';
import type { UserFilter } from '#state/users.ts';

/** A user with their search text: built once per pull, not per keystroke. */
export interface Entry extends Searched {
  user: UserView;
  name: string;
}

const byName = once(() => new Intl.Collator('en', { sensitivity: 'base', numeric: true }));

/** By name; ties by id, so that the order is stable. */
export function entriesOf(users: readonly UserView[]): Entry[] {
  return users
    .map((user) => {
      const name = displayName(user);
      return {
        user,
        name,
        text: plainText(`${name} ${user.email ?? ''}`),
        phones: phoneDigits(user.phoneNumber),
      };
    })
    .sort((a, b) => byName().compare(a.name, b.name) || (a.user.id < b.user.id ? -1 : 1));
}

/** By name, e-mail and phone. */
export function found(entries: readonly Entry[], { text, role, state }: UserFilter): Entry[] {
  const isMatch = matcherOf(text);
  return entries.filter((entry) => {
    const { roles, isActive } = entry.user;
    if (role !== '' && (roles.length === 0 || roleOf(roles) !== role)) return false;
    if (state !== '' && isActive !== (state === 'active')) return false;
    return isMatch === null || isMatch(entry);
  });
}

/** Why the list could not be read, in the server's words if it has some. */
export const failureText = ({ kind, message }: Failure): string =>
  (kind === 'http' && message) || words.failed;
