import { useAtom } from 'jotai';
import { useState } from 'react';
import { checkNewUser, type NewUserForm } from '#domain/administration.ts';
import { complaintOf, useCall } from '#features/users/hooks/use-call.ts';
import { users as words } from '#messages/en/users.ts';
import { userDraftsAtom } from '#state/user-draft.ts';
import { Button } from '#ui/button.tsx';
import { Form, SelectField, TextField } from '#ui/field.tsx';
import { showSuccess } from '#ui/toast.tsx';
import { useForm } from '#ui/use-form.ts';
import { roleChoices } from './role-card.tsx';
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

/** For an admin; `onAdded` gets the new user's id. */
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
      <SelectField label={words.fields.role} choices={choices} {...form.field('role')} />
      <UserFields field={form.field} />
      <TextField
        label={words.fields.password}
        // Readable: it is not the admin's own, and has to be told to its owner.
        type="text"
        autoComplete="off"
        hint={words.hints.initialPassword}
        {...form.field('password')}
      />
    </Form>
  );
}
