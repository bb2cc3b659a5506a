import { atom } from 'jotai';
import type { Role } from '#contract/user.ts';

/** What the users list is narrowed to; kept while one looks at somebody and comes back. */
export interface UserFilter {
  text: string;
  role: Role | '';
  state: 'active' | 'deactivated' | '';
}

export const everybody: UserFilter = { text: '', role: '', state: '' };

export const userFilterAtom = atom<UserFilter>(everybody);
