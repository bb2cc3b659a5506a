import { useState } from 'react';
import { ApiFailure } from '#api/failure.ts';
import { registrableRoles } from '#contract/auth.ts';
import { isUnanswered } from '#domain/outcome.ts';
import { checkSignUp, type FieldMessages, type SignUpForm as Typed } from '#domain/validation.ts';
import { useServices } from '#live/services.ts';
import { Button } from '#ui/button.tsx';
import { Form, SelectField, TextField } from '#ui/field.tsx';
import { dismissToast, showError, showSuccess } from '#ui/toast.tsx';
import { EmailField, PasswordField } from './credential-fields.tsx';
import { authSubject, words } from './words.ts';

const empty: Typed = { email: '', role: registrableRoles[0], password: '', confirmPassword: '' };

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

/** `onSignedUp` is called once the account exists and the success toast is up. */
export function SignUpForm({ onSignedUp }: { onSignedUp(email: string): void }) {
  const { session } = useServices();
  const [form, setForm] = useState(empty);
  const [errors, setErrors] = useState<FieldMessages>({});
  const [message, setMessage] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const set = (name: keyof Typed) => (value: string) => setForm({ ...form, [name]: value });

  const submit = async () => {
    if (isBusy) return;
    const checked = checkSignUp(form);
    setErrors(checked.isValid ? {} : checked.fields);
    setMessage(checked.isValid ? undefined : checked.message);
    if (!checked.isValid) return;
    setIsBusy(true);
    dismissToast(authSubject);
    try {
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
      <EmailField value={form.email} onChange={set('email')} error={errors.email} />
      <SelectField
        label={words.registerAs}
        name="role"
        choices={roleChoices}
        value={form.role}
        onChange={set('role')}
        error={errors.role}
      />
      <PasswordField
        isNew
        hint={words.signUp.passwordHint}
        value={form.password}
        onChange={set('password')}
        error={errors.password}
      />
      <TextField
        label={words.confirmPassword}
        name="confirmPassword"
        type="password"
        autoComplete="new-password"
        value={form.confirmPassword}
        onChange={set('confirmPassword')}
        error={errors.confirmPassword}
      />
    </Form>
  );
}
