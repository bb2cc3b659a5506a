/** The signed-in user, and an admin's search, filters and drafts. */
import { atom } from 'jotai';
import type { Role } from '#contract/user.ts';
import type { NewUserForm, UserForm } from '#domain/administration.ts';
import type { UserView } from '#domain/overlay.ts';
import type { User } from '#domain/user.ts';
import { forgettable } from './forgettable.ts';

/**
 * The signed-in user under their own pending edits, kept up beside the screens. Undefined until it
 * has been read, null where the first pull has not brought them.
 */
export const ownUserAtom = atom<UserView | null | undefined>(undefined);

/** The filter of the users list; kept while a user's card is open. */
export interface UserFilter {
  text: string;
  role: Role | '';
  state: 'active' | 'deactivated' | '';
}

export const everybody: UserFilter = { text: '', role: '', state: '' };

export const userFilterAtom = forgettable(atom<UserFilter>(everybody), everybody);

/** A user form as typed so far, and its initial values: only changes are sent. */
export interface UserDraft<Form> {
  base: User;
  form: Form;
}

/**
 * Unsaved drafts about other users, kept while their author visits another screen. In memory only:
 * they contain other people's addresses and numbers.
 */
export interface UserDrafts {
  /** Without the password. */
  added: Omit<NewUserForm, 'password'> | null;
  /** By their id. */
  others: Readonly<Record<string, UserDraft<UserForm> | undefined>>;
}

export const noUserDrafts: UserDrafts = { added: null, others: {} };

export const userDraftsAtom = forgettable(atom<UserDrafts>(noUserDrafts), noUserDrafts);
