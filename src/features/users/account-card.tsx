import { useState } from 'react';
import { displayName, roleOf, type User } from '#domain/user.ts';
import { usePackageViews } from '#live/use-packages.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { QuestionDialog } from '#ui/dialog.tsx';
import { Form } from '#ui/field.tsx';
import { showSuccess } from '#ui/toast.tsx';
import { failureSentence, useCall } from './use-call.ts';
import { words } from './words.ts';

/** Packages in transit with this person, as the phone knows them; undefined while they are read. */
function useCarried(userId: string): number | undefined {
  const views = usePackageViews();
  return views?.filter(({ courier, status }) => courier?.id === userId && status === 'in-transit')
    .length;
}

/** Of what is carried only to who carries anything, or may. */
function questionText(isSelf: boolean, isCourier: boolean, carried: number | undefined): string {
  const sessions = isSelf ? words.account.ownSessions : words.account.sessions;
  const isSaid = carried !== undefined && (isCourier || carried > 0);
  return isSaid ? `${sessions} ${words.account.carries(carried)}` : sessions;
}

/** Deactivating, which asks first and says what happens, and taking it back. */
export function AccountCard({ user, isSelf }: { user: User; isSelf: boolean }) {
  const [isAsking, setIsAsking] = useState(false);
  const [message, setMessage] = useState<string>();
  const { call, isBusy } = useCall();
  const carried = useCarried(user.id);
  const name = displayName(user);

  const deactivate = async () => {
    setIsAsking(false);
    const called = await call(user.id, { deactivate: user.id }, (api, key) =>
      api.deleteUser(user.id, key),
    );
    if (called.kind === 'done') return showSuccess(words.account.deactivated(name));
    setMessage(failureSentence(called.failure, words.account.deleteFailure));
  };

  const reactivate = async () => {
    const body = { id: user.id, active: true };
    const called = await call(body.id, body, (api, key) => api.patchUser(body, key));
    if (called.kind === 'done') return showSuccess(words.profile.success);
    setMessage(failureSentence(called.failure, words.account.updateFailure));
  };

  const submit = () => {
    if (isBusy) return;
    setMessage(undefined);
    if (user.isActive) setIsAsking(true);
    else void reactivate();
  };

  return (
    <Card title={words.account.title}>
      <Form
        onSubmit={submit}
        errors={{}}
        message={message}
        label={words.account.title}
        actions={
          <Button type="submit" tone={user.isActive ? 'danger' : 'quiet'} isBusy={isBusy}>
            {isBusy
              ? words.account.busy
              : user.isActive
                ? words.account.deactivate
                : words.account.reactivate}
          </Button>
        }
      >
        <p>{user.isActive ? words.account.activeText : words.account.deactivatedText}</p>
      </Form>
      {isAsking && (
        <QuestionDialog
          title={isSelf ? words.account.ownQuestion : words.account.question(name)}
          text={questionText(isSelf, roleOf(user.roles) === 'Employee', carried)}
          confirmLabel={words.account.deactivate}
          cancelLabel={words.account.cancel}
          confirmTone="danger"
          onConfirm={() => void deactivate()}
          onCancel={() => setIsAsking(false)}
        />
      )}
    </Card>
  );
}
