import { useState } from 'react';
import { usePackageViews } from '#data/use-packages.ts';
import { useServerCall } from '#data/use-server-call.ts';
import { displayName, roleOf, type User } from '#domain/user.ts';
import { complaintOf } from '#features/users/hooks/use-patch-user.ts';
import { users as words } from '#messages/en/users.ts';
import { Card } from '#ui/card.tsx';
import { QuestionDialog } from '#ui/dialog.tsx';
import { Form, Submit } from '#ui/field.tsx';
import { showSuccess } from '#ui/toast.tsx';
import { type Complaint, useForm } from '#ui/use-form.ts';

/** Number of local packages in transit with this user; undefined while loading. */
function useCarried(userId: string): number | undefined {
  const views = usePackageViews();
  return views?.filter(({ courier, status }) => courier?.id === userId && status === 'in-transit')
    .length;
}

/** Mentions packages in transit if there are any or the user is a courier. */
function questionText(isSelf: boolean, isCourier: boolean, carried: number | undefined): string {
  const sessions = isSelf ? words.account.ownSessions : words.account.sessions;
  const isSaid = carried !== undefined && (isCourier || carried > 0);
  return isSaid ? `${sessions} ${words.account.carries(carried)}` : sessions;
}

/** Deactivates after a confirmation of the consequences; reactivates. */
export function AccountCard({ user, isSelf }: { user: User; isSelf: boolean }) {
  const [isAsking, setIsAsking] = useState(false);
  const { call, isBusy } = useServerCall();
  const carried = useCarried(user.id);
  const name = displayName(user);
  const { id, isActive } = user;

  const change = async (): Promise<Complaint> => {
    const body = { id, active: !isActive };
    const called = await call<User | null>(id, body, (api, key) =>
      isActive ? api.deleteUser(id, key) : api.patchUser(body, key),
    );
    if (called.kind === 'done') {
      showSuccess(isActive ? words.account.deactivated(name) : words.profile.success);
      return {};
    }
    const otherwise = isActive ? words.account.deleteFailure : words.account.updateFailure;
    return { message: complaintOf(called.failure, otherwise).message };
  };

  const form = useForm({
    values: isAsking,
    onChange: setIsAsking,
    submit: async () => {
      if (!isActive) return change();
      setIsAsking(true);
      return {};
    },
  });
  const confirm = async () => {
    setIsAsking(false);
    form.complain(await change());
  };

  return (
    <Card title={words.account.title}>
      <Form
        {...form.props}
        label={words.account.title}
        actions={
          <Submit
            words={{
              ...words.account,
              save: words.account[isActive ? 'deactivate' : 'reactivate'],
            }}
            tone={isActive ? 'danger' : 'quiet'}
            isBusy={form.isBusy || isBusy}
          />
        }
      >
        <p dir="auto">{words.account[isActive ? 'activeText' : 'deactivatedText'](name)}</p>
      </Form>
      {isAsking && (
        <QuestionDialog
          title={isSelf ? words.account.ownQuestion : words.account.question(name)}
          text={questionText(isSelf, roleOf(user.roles) === 'Employee', carried)}
          confirmLabel={words.account.deactivate}
          cancelLabel={words.account.cancel}
          confirmTone="danger"
          onConfirm={() => void confirm()}
          onCancel={() => setIsAsking(false)}
        />
      )}
    </Card>
  );
}
