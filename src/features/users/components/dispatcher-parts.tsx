/** Dispatcher-only parts, in a chunk that other phones do not cache (sw/parts.ts). */
import { useAtom } from 'jotai';
import { useState } from 'react';
import { useSignedIn } from '#data/services.ts';
import { useMirroredUser } from '#data/use-users.ts';
import { checkNewUser, type NewUserForm } from '#domain/administration.ts';
import type { UserView } from '#domain/overlay.ts';
import { displayName, type User } from '#domain/user.ts';
import { complaintOf, useCall } from '#features/users/hooks/use-call.ts';
import css from '#features/users/users.module.css';
import { fields } from '#messages/en/fields.ts';
import { users as words } from '#messages/en/users.ts';
import { userDraftsAtom } from '#state/users.ts';
import { Avatar } from '#ui/avatar.tsx';
import { Button } from '#ui/button.tsx';
import { Form, SelectField, TextField } from '#ui/field.tsx';
import { showSuccess } from '#ui/toast.tsx';
import { useForm } from '#ui/use-form.ts';
import { AccountCard } from './account-card.tsx';
import { BalanceCard } from './balance-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { ProfileCard } from './profile-card.tsx';
import { RoleCard, roleChoices } from './role-card.tsx';
import { UserBadges } from './user-card.tsx';
import { UserFields } from './user-fields.tsx';

const empty: NewUserForm = {
  role: '',
  firstName: '',
  lastName: '',
  email: '',
  phoneNumber: '',
  address: '',
  vehicle: '',
  password: '',
};

const choices = [{ value: '', label: words.chooseRole, isDisabled: true }, ...roleChoices];

export function NewUserFields({ onAdded }: { onAdded(id: string): void }) {
  const [drafts, setDrafts] = useAtom(userDraftsAtom);
  const [values, setValues] = useState<NewUserForm>({ ...empty, ...drafts.added });
  const call = useCall();
  const form = useForm({
    values,
    onChange: (next) => {
      setValues(next);
      const { password: _, ...added } = next;
      setDrafts((all) => ({ ...all, added }));
    },
    submit: async () => {
      const checked = checkNewUser(values);
      if (!checked.isValid) return checked;
      const called = await call('', checked.value, (api, key) => api.addUser(checked.value, key));
      if (called.kind === 'failed') return complaintOf(called.failure, words.create.failure);
      setDrafts((all) => ({ ...all, added: null }));
      showSuccess(words.create.success);
      onAdded(called.user.id);
      return null;
    },
  });

  return (
    <Form
      {...form.props}
      label={words.create.title}
      actions={
        <Button type="submit" isWide isBusy={form.isBusy}>
          {form.isBusy ? words.create.busy : words.create.save}
        </Button>
      }
    >
      <SelectField label={fields.labels.role} choices={choices} {...form.field('role')} />
      <UserFields field={form.field} />
      <TextField
        label={fields.labels.password}
        // Readable, because the admin has to pass it on.
        type="text"
        autoComplete="off"
        hint={words.hints.initialPassword}
        {...form.field('password')}
      />
    </Form>
  );
}

/** An admin's actions on a user; for themselves, only those their own screens lack. */
export function Administration({ user }: { user: UserView }) {
  const { userInfo } = useSignedIn();
  // The server's row: the admin's own queued edit does not belong on these cards.
  const row = useMirroredUser(user.id) ?? user;
  const isSelf = user.id === userInfo.id;
  return (
    <>
      {!isSelf && <Head user={row} />}
      {!isSelf && <ProfileCard user={row} />}
      <RoleCard user={row} isSelf={isSelf} />
      <BalanceCard user={row} />
      {!isSelf && <PasswordCard user={row} />}
      <AccountCard user={row} isSelf={isSelf} />
    </>
  );
}

function Head({ user }: { user: User }) {
  const name = displayName(user);
  return (
    <div className={css.head}>
      <Avatar name={name} />
      <div>
        <h2 className={css.name}>{name}</h2>
        <UserBadges user={user} isSelf={false} />
      </div>
    </div>
  );
}
