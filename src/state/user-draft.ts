import { atom } from 'jotai';
import type { NewUserForm, UserForm } from '#domain/administration.ts';
import type { User } from '#domain/user.ts';
import type { ProfileForm } from '#domain/validation.ts';

/** A form about somebody as typed so far, and what it began with: only what differs is sent. */
export interface UserDraft<Form> {
  base: User;
  form: Form;
}

/**
 * What is typed about people and not saved yet, for who looks something up and comes back. In
 * memory alone: these are other people's addresses and numbers.
 */
export interface UserDrafts {
  /** Without the password. */
  added: Omit<NewUserForm, 'password'> | null;
  /** One's own profile. */
  own: UserDraft<ProfileForm> | null;
  /** Others', by their id. */
  others: Readonly<Record<string, UserDraft<UserForm> | undefined>>;
}

export const noUserDrafts: UserDrafts = { added: null, own: null, others: {} };

export const userDraftsAtom = atom<UserDrafts>(noUserDrafts);
