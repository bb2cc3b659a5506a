import { atom } from 'jotai';
import type { Role } from '#contract/user.ts';

export interface UserFilter {
  text: string;
  role: Role | '';
  state: 'active' | 'deactivated' | '';
}

export const everybody: UserFilter = { text: '', role: '', state: '' };

export const userFilterAtom = atom<UserFilter>(everybody);
