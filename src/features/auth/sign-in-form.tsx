import { useState } from 'react';
import { ApiFailure } from '#api/failure.ts';
import { isUnanswered } from '#domain/outcome.ts';
import type { FieldMessages } from '#domain/validation.ts';
import { useServices } from '#live/services.ts';
import { localWords } from '#state/local-words.ts';
import { trustStorageKey } from '#state/session.ts';
import { Button } from '#ui/button.tsx';
import { Checkbox, Form } from '#ui/field.tsx';
import { dismissToast, showError, showSuccess } from '#ui/toast.tsx';
import { EmailField, PasswordField } from './credential-fields.tsx';
import { authSubject, words } from './words.ts';

/** SPEC.md section 8's sentence for a sign-in that was refused; the status decides. */
function failureSentence(error: unknown): string {
  if (!(error instanceof ApiFailure)) return words.signIn.failure;
  const { status, message } = error.failure;
  if (isUnanswered(error.failure)) return words.offline;
  if (status === 404) return words.signIn.emailUnknown;
  if (status === 401) return words.signIn.wrongPassword;
  // What they can act on (too many tries, account closed) is the server's to say.
  if (status === 403 || status === 429) return message;
  return words.signIn.failure;
}

export interface SignInTyped {
  email: string;
  password: string;
}

interface SignInFormProps {
  /** Kept by the screen, so that a look at the other form loses nothing. */
  typed: SignInTyped;
  onType(typed: SignInTyped): void;
  onSignedIn(): void;
}

/** `onSignedIn` is called once the session stands and the success toast is up. */
export function SignInForm({ typed, onType, onSignedIn }: SignInFormProps) {
  const { session } = useServices();
  const [isTrusted, setIsTrusted] = useState(localWords.getItem(trustStorageKey) === 'true');
  const [errors, setErrors] = useState<FieldMessages>({});
  const [isBusy, setIsBusy] = useState(false);

  const trust = (isChecked: boolean) => {
    setIsTrusted(isChecked);
    localWords.setItem(trustStorageKey, String(isChecked));
  };

  const submit = async () => {
    if (isBusy) return;
    try {
      const { checkLogin } = await import('#domain/validation.ts');
      const checked = checkLogin(typed);
      setErrors(checked.isValid ? {} : checked.fields);
      if (!checked.isValid) return;
      setIsBusy(true);
      dismissToast(authSubject);
      await session.signIn({ ...checked.value, trustDevice: isTrusted });
      showSuccess(words.signIn.success, { subject: authSubject });
      onSignedIn();
    } catch (error) {
      showError(failureSentence(error), { subject: authSubject });
      setIsBusy(false);
    }
  };

  return (
    <Form
      onSubmit={() => void submit()}
      errors={errors}
      label={words.signIn.title}
      actions={
        <Button type="submit" isWide isBusy={isBusy}>
          {isBusy ? words.signIn.busy : words.signIn.submit}
        </Button>
      }
    >
      <EmailField
        value={typed.email}
        onChange={(email) => onType({ ...typed, email })}
        error={errors.email}
      />
      <PasswordField
        kind="known"
        value={typed.password}
        onChange={(password) => onType({ ...typed, password })}
        error={errors.password}
      />
      <Checkbox
        label={words.trustThisDevice}
        hint={words.trustHint}
        isChecked={isTrusted}
        onChange={trust}
      />
    </Form>
  );
}
