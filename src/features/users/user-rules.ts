/** Search, filters and order of the user list. Pure. */

import { once } from '#domain/dates.ts';
import type { UserView } from '#domain/overlay.ts';
import { plainText, searchWords } from '#domain/search.ts';
import { displayName, roleOf } from '#domain/user.ts';
import type { UserFilter } from '#state/users.ts';

/** Normalises Nigerian numbers: '+234 803…', '234803…' and '0803…' are equal. */
function digitsOf(text: string): string {
  return text.replace(/\D/g, '').replace(/^234/, '0');
}

/** A user with precomputed search text: built once per pull, not per keystroke. */
export interface Entry {
  user: UserView;
  name: string;
  text: string;
  digits: string;
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
        digits: digitsOf(user.phoneNumber ?? ''),
      };
    })
    .sort((a, b) => byName().compare(a.name, b.name) || (a.user.id < b.user.id ? -1 : 1));
}

/** Fewer digits match by accident: '0' is in every number. */
const minDigits = 3;

function isFound({ text, digits }: Entry, words: readonly string[], number: string): boolean {
  const isByText = words.every((word) => text.includes(word));
  return isByText || (number.length >= minDigits && digits.includes(number));
}

/** Each search word matches name or e-mail, or its digits match the phone number. */
export function found(entries: readonly Entry[], { text, role, state }: UserFilter): Entry[] {
  const words = searchWords(text);
  const number = /[^\d\s()+-]/.test(text) ? '' : digitsOf(text);
  return entries.filter((entry) => {
    const { roles, isActive } = entry.user;
    if (role !== '' && (roles.length === 0 || roleOf(roles) !== role)) return false;
    if (state !== '' && isActive !== (state === 'active')) return false;
    return words.length === 0 || isFound(entry, words, number);
  });
}
