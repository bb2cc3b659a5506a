import { useState } from 'react';
import { ApiFailure } from '#api/failure.ts';
import { registrableRoles } from '#contract/registrable-roles.ts';
import { isUnanswered } from '#domain/outcome.ts';
import type { FieldMessages, SignUpForm as SignUpTyped } from '#domain/validation.ts';
import { useServices } from '#live/services.ts';
import { Button } from '#ui/button.tsx';
import { Form, SelectField } from '#ui/field.tsx';
import { dismissToast, showError, showSuccess } from '#ui/toast.tsx';
import { EmailField, PasswordField } from './credential-fields.tsx';
import { authSubject, words } from './words.ts';

export const nothingTyped: SignUpTyped = {
  email: '',
  role: registrableRoles[0],
  password: '',
  confirmPassword: '',
};

const roleChoices = registrableRoles.map((role) => ({
  value: role,
  label: words.roleLabels[role],
}));

function failureSentence(error: unknown): string {
  if (!(error instanceof ApiFailure)) return words.signUp.failure;
  const { status, message } = error.failure;
  if (isUnanswered(error.failure)) return words.offline;
  // 'Already registered' and 'too many attempts' say what to do; the rest is the general sentence.
  return status === 409 || status === 429 ? message : words.signUp.failure;
}

interface SignUpFormProps {
  /** Kept by the screen, so that a look at the other form loses nothing. */
  typed: SignUpTyped;
  onType(typed: SignUpTyped): void;
  onSignedUp(email: string): void;
}

/** `onSignedUp` is called once the account exists and the success toast is up. */
export function SignUpForm({ typed, onType, onSignedUp }: SignUpFormProps) {
  const { session } = useServices();
  const [errors, setErrors] = useState<FieldMessages>({});
  const [message, setMessage] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const set = (name: keyof SignUpTyped) => (value: string) => onType({ ...typed, [name]: value });

  const submit = async () => {
    if (isBusy) return;
    try {
      const { checkSignUp } = await import('#domain/validation.ts');
      const checked = checkSignUp(typed);
      setErrors(checked.isValid ? {} : checked.fields);
      setMessage(checked.isValid ? undefined : checked.message);
      if (!checked.isValid) return;
      setIsBusy(true);
      dismissToast(authSubject);
      await session.signUp(checked.value);
      showSuccess(words.signUp.success, { subject: authSubject });
      onSignedUp(checked.value.email);
    } catch (error) {
      if (error instanceof ApiFailure && error.failure.fields) setErrors(error.failure.fields);
      showError(failureSentence(error), { subject: authSubject });
      setIsBusy(false);
    }
  };

  return (
    <Form
      onSubmit={() => void submit()}
      errors={errors}
      message={message}
      label={words.signUp.title}
      actions={
        <Button type="submit" isWide isBusy={isBusy}>
          {isBusy ? words.signUp.busy : words.signUp.submit}
        </Button>
      }
    >
      <EmailField value={typed.email} onChange={set('email')} error={errors.email} />
      <SelectField
        label={words.registerAs}
        name="role"
        choices={roleChoices}
        value={typed.role}
        onChange={set('role')}
        error={errors.role}
      />
      <PasswordField
        kind="new"
        hint={words.signUp.passwordHint}
        value={typed.password}
        onChange={set('password')}
        error={errors.password}
      />
      <PasswordField
        kind="confirmed"
        value={typed.confirmPassword}
        onChange={set('confirmPassword')}
        error={errors.confirmPassword}
      />
    </Form>
  );
}
