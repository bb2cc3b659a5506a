import type { User } from '#domain/user.ts';
import { checkPasswordChange } from '#domain/validation.ts';
import { complaintOf, useCall } from '#features/users/hooks/use-call.ts';
import { users as words } from '#messages/en/users.ts';
import { Card } from '#ui/card.tsx';
import { Disclosure } from '#ui/disclosure.tsx';
import { NewPasswordForm } from '#ui/new-password-form.tsx';
import { dismissToast, showInfo, showSuccess } from '#ui/toast.tsx';

/** A shared subject: each toast replaces the previous one. */
const about = { subject: 'password' };

export function PasswordCard({ user }: { user: User }) {
  const call = useCall();
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
