import { useState } from 'react';
import { useParams } from 'react-router-dom';
import { canEditUser } from '#domain/policy.ts';
import type { User } from '#domain/user.ts';
import type { FieldMessages, ProfileForm } from '#domain/validation.ts';
import { useActor } from '#live/use-actor.ts';
import { useUser } from '#live/use-users.ts';
import { BackButton, useGoBack } from '#ui/back-button.tsx';
import { Button } from '#ui/button.tsx';
import { Notice, Skeletons } from '#ui/card.tsx';
import { Form, TextField } from '#ui/field.tsx';
import { Screen } from '#ui/screen.tsx';
import { profileFormOf, useSaveProfile } from './use-save-profile.ts';
import { words } from './words.ts';

export function EditUserScreen() {
  const { id = '' } = useParams();
  const actor = useActor();
  const user = useUser(id);
  const mayEdit = canEditUser(actor, id).isAllowed;
  return (
    <Screen title={words.edit.title} lead={<BackButton label={words.back} to="/personal-info" />}>
      {mayEdit && user === undefined && <Skeletons label={words.loading} count={1} />}
      {(!mayEdit || user === null) && <Notice text={words.userNotFound} />}
      {mayEdit && user && <ProfileFields key={user.id} user={user} />}
    </Screen>
  );
}

const controls = [
  { name: 'firstName', autoComplete: 'given-name' },
  { name: 'lastName', autoComplete: 'family-name' },
  { name: 'email', type: 'email', inputMode: 'email', autoComplete: 'email' },
  { name: 'phoneNumber', type: 'tel', inputMode: 'tel', autoComplete: 'tel' },
  { name: 'address', autoComplete: 'street-address', hint: words.optional },
] as const;

function ProfileFields({ user }: { user: User }) {
  // What the form began with: only what differs from it is sent.
  const [before] = useState(user);
  const [form, setForm] = useState<ProfileForm>(profileFormOf(user));
  const [errors, setErrors] = useState<FieldMessages>({});
  const [message, setMessage] = useState<string>();
  const { save, isBusy } = useSaveProfile(before);
  const goBack = useGoBack('/personal-info');

  const submit = async () => {
    if (isBusy) return;
    const result = await save(form);
    setErrors(result.kind === 'invalid' ? result.fields : {});
    setMessage(result.kind === 'invalid' ? result.message : undefined);
    if (result.kind === 'saved') goBack();
  };

  return (
    <Form
      onSubmit={() => void submit()}
      errors={errors}
      message={message}
      label={words.edit.title}
      actions={
        <Button type="submit" isBusy={isBusy}>
          {isBusy ? words.edit.busy : words.edit.save}
        </Button>
      }
    >
      {controls.map(({ name, ...rest }) => (
        <TextField
          key={name}
          {...rest}
          name={name}
          label={words.fields[name]}
          value={form[name]}
          onChange={(value) => setForm({ ...form, [name]: value })}
          error={errors[name]}
        />
      ))}
    </Form>
  );
}
