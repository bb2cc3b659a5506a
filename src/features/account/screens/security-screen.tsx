import { failureOf } from '#api/failure.ts';
import { useSignedIn } from '#data/services.ts';
import { useServerCall } from '#data/use-server-call.ts';
import type { Failure } from '#domain/outcome.ts';
import { checkPasswordChange } from '#domain/validation.ts';
import { DevicesCard } from '#features/account/components/devices-card.tsx';
import { account as words } from '#messages/en/account.ts';
import { fields } from '#messages/en/fields.ts';
import { BackButton } from '#ui/back-button.tsx';
import { Card, Fact, Facts } from '#ui/card.tsx';
import { Disclosure } from '#ui/disclosure.tsx';
import { NewPasswordForm } from '#ui/new-password-form.tsx';
import { Screen } from '#ui/screen.tsx';
import { showError, showInfo, showSuccess } from '#ui/toast.tsx';

/** A shared subject: each toast replaces the previous one. */
const about = { subject: 'password' };

const longMs = 10_000;

export function SecurityScreen() {
  const { userInfo } = useSignedIn();
  const setOwnPassword = useOwnPassword();
  const submit = async (typed: Parameters<typeof checkPasswordChange>[0]) => {
    const checked = checkPasswordChange(typed);
    if (!checked.isValid) return checked;
    const isOffline = !navigator.onLine;
    showInfo(words.password.busy, { ...about, durationMs: longMs });
    const called = await setOwnPassword(checked.value);
    if (called.kind === 'done') {
      showSuccess(words.password.success, about);
      return null;
    }
    const { failure } = called;
    const sentence = failureSentence(failure, isOffline);
    const isLong = sentence === words.password.unknown;
    showError(sentence, isLong ? { ...about, durationMs: longMs } : about);
    return { fields: failure?.fields };
  };
  return (
    <Screen title={words.security} lead={<BackButton label={words.back} to="/account" />}>
      <Card title={words.password.heading}>
        <Facts>
          <Fact label={fields.labels.email}>{userInfo.email}</Fact>
        </Facts>
        <p>{words.password.text}</p>
        <Disclosure label={words.password.open}>
          {(close) => (
            <NewPasswordForm
              words={words.password}
              email={userInfo.email}
              onCancel={close}
              submit={async (typed) => {
                const complaint = await submit(typed);
                if (complaint === null) close();
                return complaint;
              }}
            />
          )}
        </Disclosure>
      </Card>
      <DevicesCard />
    </Screen>
  );
}

/** Without an answer, the server may have changed the password. */
const isUnknown = (failure: Failure | null) => failure !== null && failure.kind !== 'http';

function failureSentence(failure: Failure | null, isOffline: boolean): string {
  if (failure?.kind === 'http') return failure.message || words.password.failure;
  if (failure === null || failure.status >= 400) return words.password.failure;
  return isOffline ? words.needsNetwork : words.password.unknown;
}

/** An unanswered call is retried with the same key: its answer carries the new session cookie. */
function useOwnPassword() {
  const { userInfo } = useSignedIn();
  const { call } = useServerCall();
  return (password: string) => {
    const body = { id: userInfo.id, password };
    return call(body.id, body, (api, key) =>
      api.patchUser(body, key).catch((error) => {
        if (!isUnknown(failureOf(error))) throw error;
        return api.patchUser(body, key);
      }),
    );
  };
}
