import { useAtom } from 'jotai';
import { type ReactNode, useState } from 'react';
import { Link, useParams, useSearchParams } from 'react-router-dom';
import { useActor } from '#data/use-actor.ts';
import { useRefused } from '#data/use-outbox.ts';
import { useUser } from '#data/use-users.ts';
import type { OperationOf } from '#domain/operation.ts';
import type { UserView } from '#domain/overlay.ts';
import { canAdministerUsers, canEditUser } from '#domain/policy.ts';
import type { User } from '#domain/user.ts';
import { type ProfileForm, profileFormOf } from '#domain/validation.ts';
import { NoUser } from '#features/account/components/no-user.tsx';
import {
  complaintOf,
  correctedProfileForm,
  useSaveProfile,
} from '#features/account/hooks/use-save-profile.ts';
import { account as words } from '#messages/en/account.ts';
import { fields } from '#messages/en/fields.ts';
import { sending } from '#messages/en/sending.ts';
import { type UserDrafts, userDraftsAtom } from '#state/users.ts';
import { BackButton, useGoBack } from '#ui/back-button.tsx';
import { Button, buttonClass } from '#ui/button.tsx';
import { Notice, Skeletons } from '#ui/card.tsx';
import { Form, TextField } from '#ui/field.tsx';
import { Screen } from '#ui/screen.tsx';
import { useForm } from '#ui/use-form.ts';

interface EditUserScreenProps {
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
      {user && isSelf && from && <CorrectProfile key={from} from={from} user={user} />}
      {user && !from && canAdministerUsers(actor).isAllowed && administration(user)}
    </Screen>
  );
}

function CorrectProfile({ from, user }: { from: string; user: User }) {
  const refused = useRefused('editProfile', from);
  if (refused === undefined) return <Skeletons label={words.loading} count={1} />;
  if (refused && refused.targetId === user.id) {
    return <ProfileFields user={user} refused={refused} />;
  }
  return (
    <Notice text={sending.decided}>
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
  /** The refused edit being corrected: the form opens with its changes and errors. */
  refused: OperationOf<'editProfile'> | null;
}

function ProfileFields({ user, refused }: ProfileFieldsProps) {
  const [drafts, setDrafts] = useAtom(userDraftsAtom);
  // The draft and the profile it is based on: only their difference is sent.
  const [{ before, typed }] = useState(() => {
    const kept = !refused && drafts.own?.base.id === user.id ? drafts.own : null;
    return { before: kept?.base ?? user, typed: kept?.form };
  });
  const [values, setValues] = useState<ProfileForm>(
    typed ?? correctedProfileForm(user, refused?.args.changes),
  );
  const keep = (own: UserDrafts['own']) => {
    if (!refused) setDrafts((all) => ({ ...all, own }));
  };
  const save = useSaveProfile(before, refused?.id ?? null);
  const goBack = useGoBack(refused ? '/outbox' : '/personal-info');
  const form = useForm({
    values,
    onChange: (next) => {
      setValues(next);
      keep(isSame(next, profileFormOf(before)) ? null : { base: before, form: next });
    },
    complaint: complaintOf(refused),
    submit: async () => {
      const complaint = await save(values);
      if (complaint) return complaint;
      keep(null);
      goBack();
      return null;
    },
  });

  return (
    <Form
      {...form.props}
      label={words.edit.title}
      actions={
        <Button type="submit" isBusy={form.isBusy}>
          {form.isBusy ? words.edit.busy : words.edit.save}
        </Button>
      }
    >
      {controls.map(({ name, ...rest }) => (
        <TextField key={name} label={fields.labels[name]} {...rest} {...form.field(name)} />
      ))}
    </Form>
  );
}
