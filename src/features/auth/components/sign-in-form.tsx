import { useState } from 'react';
import { ApiFailure } from '#api/failure.ts';
import { useServices } from '#data/services.ts';
import { isUnanswered } from '#domain/outcome.ts';
import { auth as words } from '#messages/en/auth.ts';
import { safeLocalStorage } from '#state/safe-storage.ts';
import { trustStorageKey } from '#state/session.ts';
import { Button } from '#ui/button.tsx';
import { Checkbox, Form } from '#ui/field.tsx';
import { dismissToast, showError, showSuccess } from '#ui/toast.tsx';
import { useForm } from '#ui/use-form.ts';
import { authSubject, EmailField, PasswordField } from './credential-fields.tsx';

function failureSentence(error: unknown): string {
  if (!(error instanceof ApiFailure)) return words.signIn.failure;
  const { status, message } = error.failure;
  if (isUnanswered(error.failure)) return words.signIn.offline;
  if (status === 404) return words.signIn.emailUnknown;
  if (status === 401) return words.signIn.wrongPassword;
  // The server's message says what to do: too many attempts, account closed.
  if (status === 403 || status === 429) return message;
  return words.signIn.failure;
}

export interface SignInTyped {
  email: string;
  password: string;
}

interface SignInFormProps {
  /** Held by the screen, so that switching forms loses nothing. */
  typed: SignInTyped;
  onType(typed: SignInTyped): void;
  onSignedIn(): void;
}

/** Calls `onSignedIn` after the session exists and the success toast shows. */
export function SignInForm({ typed, onType, onSignedIn }: SignInFormProps) {
  const { session } = useServices();
  const [isTrusted, setIsTrusted] = useState(safeLocalStorage.getItem(trustStorageKey) === 'true');

  const trust = (isChecked: boolean) => {
    setIsTrusted(isChecked);
    safeLocalStorage.setItem(trustStorageKey, String(isChecked));
  };

  const form = useForm({
    values: typed,
    onChange: onType,
    submit: async () => {
      try {
        const { checkLogin } = await import('#domain/validation.ts');
        const checked = checkLogin(typed);
        if (!checked.isValid) return checked;
        dismissToast(authSubject);
        await session.signIn({ ...checked.value, trustDevice: isTrusted });
        showSuccess(words.signIn.success, { subject: authSubject });
        onSignedIn();
        return null;
      } catch (error) {
        showError(failureSentence(error), { subject: authSubject });
        return {};
      }
    },
  });

  return (
    <Form
      {...form.props}
      label={words.signIn.title}
      actions={
        <Button type="submit" isWide isBusy={form.isBusy}>
          {form.isBusy ? words.signIn.busy : words.signIn.submit}
        </Button>
      }
    >
      <EmailField {...form.field('email')} />
      <PasswordField {...form.field('password')} />
      <Checkbox
        label={words.trustThisDevice}
        hint={words.trustHint}
        isChecked={isTrusted}
        onChange={trust}
      />
    </Form>
  );
}
