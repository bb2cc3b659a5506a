import '#contract/phone-countries.ts';
import { useAtom } from 'jotai';
import { ArrowLeft, UserX } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import { useParams, useSearchParams } from 'react-router-dom';
import type { ProfileChanges } from '#contract/user.ts';
import { useSubmitIntent } from '#data/submit-intent.ts';
import { useActor } from '#data/use-actor.ts';
import { useRefused } from '#data/use-outbox.ts';
import { useUser } from '#data/use-users.ts';
import { profileFormOf } from '#domain/administration.ts';
import { showPhone } from '#domain/contact-links.ts';
import type { Operation, OperationOf } from '#domain/operation.ts';
import type { UserView } from '#domain/overlay.ts';
import type { User } from '#domain/user.ts';
import { canAdministerUsers, canEditUser } from '#domain/user-policy.ts';
import { checkProfile, type ProfileForm } from '#domain/validation.ts';
import { NoUser } from '#features/account/components/no-user.tsx';
import { account as words } from '#messages/en/account.ts';
import { fields } from '#messages/en/fields.ts';
import { sending } from '#messages/en/sending.ts';
import { DecidedNotice } from '#package-ui/notices.tsx';
import { profileDraftAtom } from '#state/profile-draft.ts';
import { userDraftsAtom } from '#state/users.ts';
import { useGoBack } from '#ui/back-button.tsx';
import { IconButton } from '#ui/button.tsx';
import { Notice, Skeletons } from '#ui/card.tsx';
import { Form, Submit, TextField } from '#ui/field.tsx';
import { LeaveQuestion } from '#ui/leave-question.tsx';
import { ActionBar, Screen } from '#ui/screen.tsx';
import * as toasts from '#ui/toast.tsx';
import { type Complaint, useForm } from '#ui/use-form.ts';
import { useLeaveGuard } from '#ui/use-leave-guard.ts';

interface EditUserScreenProps {
  administration(user: UserView): ReactNode;
}

/** Asks before leaving with unsaved changes; following a link to look something up keeps them. */
export function EditUserScreen({ administration }: EditUserScreenProps) {
  const { id = '' } = useParams();
  const actor = useActor();
  const user = useUser(id);
  const mayEdit = canEditUser(actor, id).isAllowed;
  const isSelf = id === actor.id;
  const [query] = useSearchParams();
  const from = query.get('from');
  const [own, setOwn] = useAtom(profileDraftAtom);
  const [{ others }, setDrafts] = useAtom(userDraftsAtom);
  const isDirty = isSelf ? !from && own?.base.id === id : others[id] !== undefined;
  const guard = useLeaveGuard(isDirty);
  const goBack = useGoBack(from ? '/outbox' : isSelf ? '/personal-info' : '/users-list');
  return (
    <Screen
      title={isSelf ? words.editProfile : words.edit.title}
      lead={
        <IconButton
          label={words.back}
          icon={<ArrowLeft aria-hidden />}
          onClick={() => guard.request(goBack)}
        />
      }
    >
      {mayEdit && user === undefined && <Skeletons label={words.loading} count={1} />}
      {!mayEdit && <Notice icon={<UserX aria-hidden size={40} />} title={words.userNotFound} />}
      {mayEdit && user === null && <NoUser />}
      {user && isSelf && <OwnProfile key={from ?? user.id} from={from} user={user} />}
      {user && !from && canAdministerUsers(actor).isAllowed && administration(user)}
      <LeaveQuestion
        guard={guard}
        words={sending.leave}
        onDiscard={() =>
          isSelf
            ? setOwn(null)
            : setDrafts((all) => ({ ...all, others: { ...all.others, [id]: undefined } }))
        }
        goBack={goBack}
      />
    </Screen>
  );
}

function OwnProfile({ from, user }: { from: string | null; user: User }) {
  const refused = useRefused('editProfile', from);
  if (refused === undefined) return <Skeletons label={words.loading} count={1} />;
  if (!from || refused?.targetId === user.id)
    return <ProfileFields user={user} refused={refused} />;
  return <DecidedNotice />;
}

function complaintOf(refused: Pick<Operation, 'lastError'> | null): Complaint {
  const error = refused?.lastError;
  if (error?.code !== 'email_taken') return error ?? {};
  return { fields: { email: error.message }, message: error.message };
}

export function correctedProfileForm(user: User, changes: ProfileChanges = {}): ProfileForm {
  const form = profileFormOf(user);
  for (const name of Object.keys(form) as (keyof ProfileForm)[]) {
    if (changes[name] !== undefined) form[name] = changes[name] ?? '';
  }
  return { ...form, phoneNumber: showPhone(form.phoneNumber) };
}

export function changedOf(
  before: ProfileForm,
  form: ProfileForm,
  checked: ProfileChanges,
): ProfileChanges {
  const isChanged = (field: keyof ProfileForm) => form[field] !== before[field];
  return Object.fromEntries(
    Object.entries(checked).filter(([name]) => isChanged(name as keyof ProfileForm)),
  );
}

/** Queues the changes, replacing a refused edit. Resolves to its errors, or null once saved. */
function useSaveProfile(before: User, replaces: string | null) {
  const submitIntent = useSubmitIntent(toasts);
  return async (form: ProfileForm): Promise<Complaint | null> => {
    const checked = checkProfile(form);
    if (!checked.isValid) return checked;
    const changes = changedOf(profileFormOf(before), form, checked.value);
    if (Object.keys(changes).length === 0) {
      toasts.showInfo(words.edit.nothing);
      return null;
    }
    const args = { changes, baseVersion: before.version };
    const intent = { name: 'editProfile', targetId: before.id, args } as const;
    return (await submitIntent(intent, replaces)) ? null : {};
  };
}

const controls = [
  { name: 'firstName', autoComplete: 'given-name' },
  { name: 'lastName', autoComplete: 'family-name' },
  { name: 'email', type: 'email', inputMode: 'email', autoComplete: 'email' },
  { name: 'phoneNumber', type: 'tel', inputMode: 'tel', autoComplete: 'tel' },
  { name: 'address', autoComplete: 'street-address', aside: fields.optional },
] as const;

const isSame = (a: ProfileForm, b: ProfileForm) => JSON.stringify(a) === JSON.stringify(b);

interface ProfileFieldsProps {
  user: User;
  /** The refused edit being corrected: the form opens with its changes and errors. */
  refused: OperationOf<'editProfile'> | null;
}

function ProfileFields({ user, refused }: ProfileFieldsProps) {
  const [draft, setDraft] = useAtom(profileDraftAtom);
  // The draft and the profile it is based on: only their difference is sent.
  const [{ before, typed }] = useState(() => {
    const kept = !refused && draft?.base.id === user.id ? draft : null;
    return { before: kept?.base ?? user, typed: kept?.form };
  });
  const [values, setValues] = useState<ProfileForm>(
    typed ?? correctedProfileForm(user, refused?.args.changes),
  );
  const keep = (typed: typeof draft) => {
    if (!refused) setDraft(typed);
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
      // At once: with a draft, going back would ask.
      flushSync(() => keep(null));
      goBack();
      return null;
    },
  });

  return (
    <Form
      {...form.props}
      label={words.editProfile}
      actions={
        <ActionBar>
          <Submit words={words.edit} isBusy={form.isBusy} />
        </ActionBar>
      }
    >
      {controls.map(({ name, ...rest }) => (
        <TextField key={name} label={fields.labels[name]} {...rest} {...form.field(name)} />
      ))}
    </Form>
  );
}
