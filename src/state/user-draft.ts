import { atom } from 'jotai';
import type { NewUserForm, UserForm } from '#domain/administration.ts';
import type { User } from '#domain/user.ts';
import type { ProfileForm } from '#domain/validation.ts';

/** A form and the row it started from: only differences are sent. */
export interface UserDraft<Form> {
  base: User;
  form: Form;
}

/** Unsaved user forms. In memory only, since they hold other people's data. */
export interface UserDrafts {
  added: Omit<NewUserForm, 'password'> | null;
  own: UserDraft<ProfileForm> | null;
  others: Readonly<Record<string, UserDraft<UserForm> | undefined>>;
}

export const noUserDrafts: UserDrafts = { added: null, own: null, others: {} };

export const userDraftsAtom = atom<UserDrafts>(noUserDrafts);
