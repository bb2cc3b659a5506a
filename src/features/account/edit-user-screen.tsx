import { useAtom } from 'jotai';
import { type ReactNode, useState } from 'react';
import { Link, useParams, useSearchParams } from 'react-router-dom';
import type { UserView } from '#domain/overlay.ts';
import { canAdministerUsers, canEditUser } from '#domain/policy.ts';
import type { User } from '#domain/user.ts';
import type { FieldMessages, ProfileForm } from '#domain/validation.ts';
import { useActor } from '#live/use-actor.ts';
import { type OperationOf, useRefused } from '#live/use-refused.ts';
import { useUser } from '#live/use-users.ts';
import { sendingWords } from '#live/words.ts';
import { type UserDrafts, userDraftsAtom } from '#state/user-draft.ts';
import { BackButton, useGoBack } from '#ui/back-button.tsx';
import { Button, buttonClass } from '#ui/button.tsx';
import { Notice, Skeletons } from '#ui/card.tsx';
import { Form, TextField } from '#ui/field.tsx';
import { Screen } from '#ui/screen.tsx';
import { NoUser } from './no-user.tsx';
import {
  complaintsOf,
  mendedProfileForm,
  profileFormOf,
  useSaveProfile,
} from './use-save-profile.ts';
import { words } from './words.ts';

interface EditUserScreenProps {
  /** What an admin does about somebody, beside and instead of what people do about themselves. */
  administration(user: UserView): ReactNode;
}

export function EditUserScreen({ administration }: EditUserScreenProps) {
  const { id = '' } = useParams();
  const actor = useActor();
  const user = useUser(id);
  const mayEdit = canEditUser(actor, id).isAllowed;
  const isSelf = id === actor.id;
  const [query] = useSearchParams();
  const from = query.get('from');
  return (
    <Screen
      title={words.edit.title}
      lead={
        <BackButton
          label={words.back}
          to={from ? '/outbox' : isSelf ? '/personal-info' : '/users-list'}
        />
      }
    >
      {mayEdit && user === undefined && <Skeletons label={words.loading} count={1} />}
      {!mayEdit && <Notice text={words.userNotFound} />}
      {mayEdit && user === null && <NoUser />}
      {user && isSelf && !from && <ProfileFields key={user.id} user={user} refused={null} />}
      {user && isSelf && from && <MendProfile key={from} from={from} user={user} />}
      {user && !from && canAdministerUsers(actor).isAllowed && administration(user)}
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

const isSame = (a: ProfileForm, b: ProfileForm) => JSON.stringify(a) === JSON.stringify(b);

interface ProfileFieldsProps {
  user: User;
  /** The refused edit that is mended here: its changes stand in the form, with what was wrong. */
  refused: OperationOf<'editProfile'> | null;
}

function ProfileFields({ user, refused }: ProfileFieldsProps) {
  const [drafts, setDrafts] = useAtom(userDraftsAtom);
  // What was typed before, with what the form began with then: only what differs from it is sent.
  const [{ before, typed }] = useState(() => {
    const kept = !refused && drafts.own?.base.id === user.id ? drafts.own : null;
    return { before: kept?.base ?? user, typed: kept?.form };
  });
  const [form, setForm] = useState<ProfileForm>(
    typed ?? mendedProfileForm(user, refused?.args.changes),
  );
  const keep = (own: UserDrafts['own']) => {
    if (!refused) setDrafts((all) => ({ ...all, own }));
  };
  const [errors, setErrors] = useState<FieldMessages>(complaintsOf(refused));
  const [message, setMessage] = useState(refused?.lastError?.message);
  const { save, isBusy } = useSaveProfile(before, refused?.id ?? null);
  const goBack = useGoBack(refused ? '/outbox' : '/personal-info');

  const submit = async () => {
    if (isBusy) return;
    const result = await save(form);
    setErrors(result.kind === 'invalid' ? result.fields : {});
    setMessage(result.kind === 'invalid' ? result.message : undefined);
    if (result.kind !== 'saved') return;
    keep(null);
    goBack();
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
          onChange={(value) => {
            const next = { ...form, [name]: value };
            setForm(next);
            keep(isSame(next, profileFormOf(before)) ? null : { base: before, form: next });
          }}
          error={errors[name]}
        />
      ))}
    </Form>
  );
}
