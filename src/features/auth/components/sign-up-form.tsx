import { ApiFailure } from '#api/failure.ts';
import { registrableRoles } from '#contract/auth.ts';
import { useServices } from '#data/services.ts';
import { isUnanswered } from '#domain/outcome.ts';
import type { SignUpForm as SignUpTyped } from '#domain/validation.ts';
import { auth as words } from '#messages/en/auth.ts';
import { Button } from '#ui/button.tsx';
import { Form, SelectField } from '#ui/field.tsx';
import { dismissToast, showError, showSuccess } from '#ui/toast.tsx';
import { useForm } from '#ui/use-form.ts';
import { authSubject, EmailField, PasswordField } from './credential-fields.tsx';

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
  const { status, code, message } = error.failure;
  if (isUnanswered(error.failure)) return words.signUp.offline;
  if (code === 'email_taken') return words.signUp.emailTaken;
  // 'Too many attempts' tells what to do; other failures get the general message.
  return status === 409 || status === 429 ? message : words.signUp.failure;
}

interface SignUpFormProps {
  /** Held by the screen, so that switching forms loses nothing. */
  typed: SignUpTyped;
  onType(typed: SignUpTyped): void;
  onSignedUp(email: string): void;
}

/** Calls `onSignedUp` after the account exists and the success toast shows. */
export function SignUpForm({ typed, onType, onSignedUp }: SignUpFormProps) {
  const { session } = useServices();
  const form = useForm({
    values: typed,
    onChange: onType,
    submit: async () => {
      try {
        const { checkSignUp } = await import('#domain/validation.ts');
        const checked = checkSignUp(typed);
        if (!checked.isValid) return checked;
        dismissToast(authSubject);
        await session.signUp(checked.value);
        showSuccess(words.signUp.success, { subject: authSubject });
        onSignedUp(checked.value.email);
        return null;
      } catch (error) {
        showError(failureSentence(error), { subject: authSubject });
        return { fields: error instanceof ApiFailure ? error.failure.fields : undefined };
      }
    },
  });

  return (
    <Form
      {...form.props}
      label={words.signUp.title}
      actions={
        <Button type="submit" isWide isBusy={form.isBusy}>
          {form.isBusy ? words.signUp.busy : words.signUp.submit}
        </Button>
      }
    >
      <EmailField {...form.field('email')} />
      <SelectField label={words.registerAs} choices={roleChoices} {...form.field('role')} />
      <PasswordField isNew hint={words.signUp.passwordHint} {...form.field('password')} />
      <PasswordField isNew {...form.field('confirmPassword')} />
    </Form>
  );
}
