import { useServerCall } from '#data/use-server-call.ts';
/** Dispatcher-only parts, in a chunk that other phones do not cache (sw/parts.ts). */
import '#contract/phone-countries.ts';
import { useAtom } from 'jotai';
import { useState } from 'react';
import { type Role, roles } from '#contract/user.ts';
import { useSignedIn } from '#data/services.ts';
import { useMirroredUser } from '#data/use-users.ts';
import { checkNewUser, type NewUserForm } from '#domain/administration.ts';
import type { UserView } from '#domain/overlay.ts';
import { displayName, roleOf, type User } from '#domain/user.ts';
import { checkPasswordChange } from '#domain/validation.ts';
import { complaintOf, usePatchUser } from '#features/users/hooks/use-patch-user.ts';
import css from '#features/users/users.module.css';
import { fields } from '#messages/en/fields.ts';
import { users as words } from '#messages/en/users.ts';
import { userDraftsAtom } from '#state/users.ts';
import { Card } from '#ui/card.tsx';
import { Disclosure } from '#ui/disclosure.tsx';
import { Form, SelectField, Submit, TextField } from '#ui/field.tsx';
import { NewPasswordForm } from '#ui/new-password-form.tsx';
import { ActionBar } from '#ui/screen.tsx';
import layout from '#ui/stack.module.css';
import { dismissToast, showInfo, showSuccess } from '#ui/toast.tsx';
import { useForm } from '#ui/use-form.ts';
import { AccountCard } from './account-card.tsx';
import { BalanceCard } from './balance-card.tsx';
import { ProfileCard, UserFields } from './profile-card.tsx';
import { Avatar, UserBadges } from './user-card.tsx';

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

const roleChoices = roles.map((role) => ({ value: role, label: words.roles[role] }));
const choices = [{ value: '', label: words.chooseRole, isDisabled: true }, ...roleChoices];

export function NewUserFields({ onAdded }: { onAdded(id: string): void }) {
  const [drafts, setDrafts] = useAtom(userDraftsAtom);
  const [values, setValues] = useState<NewUserForm>({ ...empty, ...drafts.added });
  const { call } = useServerCall();
  const isCourier = values.role === 'Employee';
  const form = useForm({
    values,
    onChange: (next) => {
      setValues(next);
      const { password: _, ...added } = next;
      setDrafts((all) => ({ ...all, added }));
    },
    submit: async () => {
      const checked = checkNewUser(isCourier ? values : { ...values, vehicle: '' });
      if (!checked.isValid) return checked;
      const called = await call('', checked.value, (api, key) => api.addUser(checked.value, key));
      if (called.kind === 'failed') return complaintOf(called.failure, words.create.failure);
      setDrafts((all) => ({ ...all, added: null }));
      showSuccess(words.create.success);
      onAdded(called.answer.id);
      return null;
    },
  });

  return (
    <Form
      {...form.props}
      label={words.create.title}
      actions={
        <ActionBar>
          <Submit words={words.create} isBusy={form.isBusy} />
        </ActionBar>
      }
    >
      <SelectField label={fields.labels.role} choices={choices} {...form.field('role')} />
      <UserFields hasVehicle={isCourier} field={form.field} />
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
    <div className={`${layout.stack} ${css.cards}`}>
      {!isSelf && <Head user={row} />}
      {!isSelf && <ProfileCard user={row} />}
      <RoleCard user={row} isSelf={isSelf} />
      <BalanceCard user={row} />
      {!isSelf && <PasswordCard user={row} />}
      <AccountCard user={row} isSelf={isSelf} />
    </div>
  );
}

function Head({ user }: { user: User }) {
  const name = displayName(user);
  return (
    <div className={`${layout.row} ${css.head}`}>
      <Avatar name={name} />
      <div className={layout.tight}>
        <h2 className={css.name} dir="auto">
          {name}
        </h2>
        <UserBadges user={user} isSelf={false} />
      </div>
    </div>
  );
}

/** The effective role (domain `roleOf`); a new one replaces it. */
function RoleCard({ user, isSelf }: { user: User; isSelf: boolean }) {
  const [base, setBase] = useState(user);
  const [chosen, setChosen] = useState<Role | null>(null);
  const present = roleOf(base.roles);
  const role = chosen ?? present;
  const restart = (from: User) => {
    setBase(from);
    setChosen(null);
  };
  const patch = usePatchUser(restart);
  const form = useForm({
    values: { role },
    onChange: ({ role: text }) => setChosen(roles.find((one) => one === text) ?? null),
    submit: async () => {
      if (role === present) {
        showInfo(words.profile.nothing);
        return {};
      }
      const based = base.version && { baseVersion: base.version };
      const body = { id: user.id, roles: [role], ...based };
      const { fields: complained, message } = await patch(body, (current) => {
        restart(current);
        return { fields: { roles: words.role.changed(words.roles[roleOf(current.roles)]) } };
      });
      const complaint = complained?.roles ?? message;
      return complaint === undefined ? {} : { fields: { role: complaint } };
    },
  });
  // Not while a choice is open: if another admin changed the role, the server reports the conflict.
  if (user.version > base.version && !form.isBusy && chosen === null) setBase(user);

  return (
    <Card title={words.role.title}>
      <Form
        {...form.props}
        actions={
          <Submit words={{ ...words.profile, ...words.role }} tone="quiet" isBusy={form.isBusy} />
        }
      >
        <div className={css.titled}>
          <SelectField
            label={fields.labels.role}
            choices={roleChoices}
            hint={isSelf && present === 'Admin' ? words.role.own : undefined}
            {...form.field('role')}
          />
        </div>
      </Form>
    </Card>
  );
}

/** A shared subject: each toast replaces the previous one. */
const about = { subject: 'password' };

function PasswordCard({ user }: { user: User }) {
  const { call } = useServerCall();
  return (
    <Card title={words.password.title}>
      <p>{words.password.text}</p>
      <Disclosure tone="quiet" label={words.password.open}>
        {(close) => (
          <NewPasswordForm
            words={words.password}
            onCancel={close}
            submit={async (typed) => {
              const checked = checkPasswordChange(typed);
              if (!checked.isValid) return checked;
              showInfo(words.password.busy, { ...about, durationMs: 10_000 });
              const body = { id: user.id, password: checked.value };
              const called = await call(body.id, body, (api, key) => api.patchUser(body, key));
              if (called.kind === 'done') {
                showSuccess(words.password.success, about);
                close();
                return null;
              }
              dismissToast(about.subject);
              return complaintOf(called.failure, words.password.failure);
            }}
          />
        )}
      </Disclosure>
    </Card>
  );
}
