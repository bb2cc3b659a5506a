/** What the screens remember of the users: the signed-in one, and what an admin looks for and types. */
import { atom } from 'jotai';
import type { Role } from '#contract/user.ts';
import type { NewUserForm, UserForm } from '#domain/administration.ts';
import type { UserView } from '#domain/overlay.ts';
import type { User } from '#domain/user.ts';

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

export const userFilterAtom = atom<UserFilter>(everybody);

/** A user form as typed so far, and its initial values: only changes are sent. */
export interface UserDraft<Form> {
  base: User;
  form: Form;
}

/**
 * What is typed about others and not saved yet, for who looks something up and comes back. In
 * memory alone: these are other people's addresses and numbers.
 */
export interface UserDrafts {
  /** Without the password. */
  added: Omit<NewUserForm, 'password'> | null;
  /** By their id. */
  others: Readonly<Record<string, UserDraft<UserForm> | undefined>>;
}

export const noUserDrafts: UserDrafts = { added: null, others: {} };

export const userDraftsAtom = atom<UserDrafts>(noUserDrafts);

/**
 * Calls that got no answer, by the user whom they are about: the text of each, and the
 * Idempotency-Key under which it is to be asked again. Beside the form that asked, which may be
 * closed and reopened in between.
 */
export const unansweredCallsAtom = atom<Map<string, Map<string, string>>>(new Map());
