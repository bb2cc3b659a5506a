import { useState } from 'react';
import { Link, useParams, useSearchParams } from 'react-router-dom';
import { canEditUser } from '#domain/policy.ts';
import type { User } from '#domain/user.ts';
import type { FieldMessages, ProfileForm } from '#domain/validation.ts';
import { useActor } from '#live/use-actor.ts';
import { type OperationOf, useRefused } from '#live/use-refused.ts';
import { useUser } from '#live/use-users.ts';
import { sendingWords } from '#live/words.ts';
import { BackButton, useGoBack } from '#ui/back-button.tsx';
import { Button, buttonClass } from '#ui/button.tsx';
import { Notice, Skeletons } from '#ui/card.tsx';
import { Form, TextField } from '#ui/field.tsx';
import { Screen } from '#ui/screen.tsx';
import { complaintsOf, mendedProfileForm, useSaveProfile } from './use-save-profile.ts';
import { words } from './words.ts';

export function EditUserScreen() {
  const { id = '' } = useParams();
  const actor = useActor();
  const user = useUser(id);
  const mayEdit = canEditUser(actor, id).isAllowed;
  const [query] = useSearchParams();
  const from = query.get('from');
  return (
    <Screen
      title={words.edit.title}
      lead={<BackButton label={words.back} to={from ? '/outbox' : '/personal-info'} />}
    >
      {mayEdit && user === undefined && <Skeletons label={words.loading} count={1} />}
      {(!mayEdit || user === null) && <Notice text={words.userNotFound} />}
      {mayEdit && user && !from && <ProfileFields key={user.id} user={user} refused={null} />}
      {mayEdit && user && from && <MendProfile key={from} from={from} user={user} />}
    </Screen>
  );
}

/** A refused edit laid over the server's row. */
function MendProfile({ from, user }: { from: string; user: User }) {
  const refused = useRefused('editProfile', from);
  if (refused === undefined) return <Skeletons label={words.loading} count={1} />;
  if (refused && refused.targetId === user.id) {
    return <ProfileFields user={user} refused={refused} />;
  }
  return (
    <Notice text={sendingWords.decided}>
      <Link className={buttonClass('quiet')} to="/outbox">
        {words.toChanges}
      </Link>
    </Notice>
  );
}

const controls = [
  { name: 'firstName', autoComplete: 'given-name' },
  { name: 'lastName', autoComplete: 'family-name' },
  { name: 'email', type: 'email', inputMode: 'email', autoComplete: 'email' },
  { name: 'phoneNumber', type: 'tel', inputMode: 'tel', autoComplete: 'tel' },
  { name: 'address', autoComplete: 'street-address', hint: words.optional },
] as const;

interface ProfileFieldsProps {
  user: User;
  /** The refused edit that is mended here: its changes stand in the form, with what was wrong. */
  refused: OperationOf<'editProfile'> | null;
}

function ProfileFields({ user, refused }: ProfileFieldsProps) {
  // What the form began with: only what differs from it is sent.
  const [before] = useState(user);
  const [form, setForm] = useState<ProfileForm>(mendedProfileForm(user, refused?.args.changes));
  const [errors, setErrors] = useState<FieldMessages>(complaintsOf(refused));
  const [message, setMessage] = useState(refused?.lastError?.message);
  const { save, isBusy } = useSaveProfile(before, refused?.id ?? null);
  const goBack = useGoBack(refused ? '/outbox' : '/personal-info');

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
