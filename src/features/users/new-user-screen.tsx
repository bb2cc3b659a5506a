import { useAtom } from 'jotai';
import { UserCheck, UserX } from 'lucide-react';
import { useState } from 'react';
import { Link, Navigate } from 'react-router-dom';
import { checkNewUser, type NewUserForm } from '#domain/administration.ts';
import { canAdministerUsers } from '#domain/policy.ts';
import type { FieldMessages } from '#domain/validation.ts';
import { useActor } from '#live/use-actor.ts';
import { useUser } from '#live/use-users.ts';
import { userDraftsAtom } from '#state/user-draft.ts';
import { BackButton } from '#ui/back-button.tsx';
import { Button, buttonClass } from '#ui/button.tsx';
import { Notice } from '#ui/card.tsx';
import { Form, SelectField, TextField } from '#ui/field.tsx';
import { Screen } from '#ui/screen.tsx';
import { showSuccess } from '#ui/toast.tsx';
import { roleChoices } from './role-card.tsx';
import { failureSentence, useCall } from './use-call.ts';
import { UserFields } from './user-fields.tsx';
import { words } from './words.ts';

/** /new-user: an account that an admin makes for somebody. */
export function NewUserScreen() {
  const actor = useActor();
  const [addedId, setAddedId] = useState('');
  const isAllowed = canAdministerUsers(actor).isAllowed;
  return (
    <Screen title={words.create.title} lead={<BackButton label={words.back} to="/users-list" />}>
      {!isAllowed && <Notice icon={<UserX aria-hidden size={40} />} text={words.notAllowed} />}
      {isAllowed && !addedId && <NewUserFields onAdded={setAddedId} />}
      {isAllowed && addedId && <Added id={addedId} />}
    </Screen>
  );
}

/** On to their card as soon as the pull has brought them; until then it says that it is done. */
function Added({ id }: { id: string }) {
  const user = useUser(id);
  if (user) return <Navigate to={`/edit-user/${id}`} replace />;
  return (
    <Notice icon={<UserCheck aria-hidden size={40} />} text={words.create.coming}>
      <Link className={buttonClass('quiet')} to="/users-list" replace>
        {words.create.toList}
      </Link>
    </Notice>
  );
}

const empty: NewUserForm = {
  ...{ role: '', firstName: '', lastName: '', email: '', phoneNumber: '' },
  ...{ address: '', vehicle: '', password: '' },
};

function NewUserFields({ onAdded }: { onAdded(id: string): void }) {
  const [drafts, setDrafts] = useAtom(userDraftsAtom);
  const [form, setOwn] = useState<NewUserForm>({ ...empty, ...drafts.added });
  const setForm = (next: NewUserForm) => {
    setOwn(next);
    const { password: _, ...added } = next;
    setDrafts((all) => ({ ...all, added }));
  };
  const [errors, setErrors] = useState<FieldMessages>({});
  const [message, setMessage] = useState<string>();
  const { call, isBusy } = useCall();

  const complain = (fields: FieldMessages, sentence: string | undefined) => {
    setErrors(fields);
    setMessage(sentence);
  };

  const submit = async () => {
    if (isBusy) return;
    const checked = checkNewUser(form);
    if (!checked.isValid) return complain(checked.fields, checked.message);
    complain({}, undefined);
    const body = checked.value;
    const called = await call('', body, (api, key) => api.addUser(body, key));
    if (called.kind === 'done') {
      setDrafts((all) => ({ ...all, added: null }));
      showSuccess(words.create.success);
      return onAdded(called.user.id);
    }
    const { failure } = called;
    if (failure?.code === 'email_taken') {
      return complain({ email: failure.message }, failure.message);
    }
    complain(failure?.fields ?? {}, failureSentence(failure, words.create.failure));
  };

  return (
    <Form
      onSubmit={() => void submit()}
      errors={errors}
      message={message}
      label={words.create.title}
      actions={
        <Button type="submit" isWide isBusy={isBusy}>
          {isBusy ? words.create.busy : words.create.save}
        </Button>
      }
    >
      <SelectField
        label={words.fields.role}
        name="role"
        value={form.role}
        choices={[{ value: '', label: words.chooseRole, isDisabled: true }, ...roleChoices]}
        onChange={(role) => setForm({ ...form, role })}
        error={errors.role}
      />
      <UserFields
        form={form}
        errors={errors}
        onChange={(name, value) => setForm({ ...form, [name]: value })}
      />
      <TextField
        label={words.fields.password}
        name="password"
        // In the clear: it is not the admin's, and is to be told to somebody else.
        type="text"
        autoComplete="off"
        hint={words.hints.initialPassword}
        value={form.password}
        onChange={(password) => setForm({ ...form, password })}
        error={errors.password}
      />
    </Form>
  );
}
