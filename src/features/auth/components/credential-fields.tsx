import { auth as words } from '#messages/en/auth.ts';
import { TextField } from '#ui/field.tsx';
import { PasswordField as PlainPasswordField } from '#ui/password-field.tsx';

/** One toast for signing in and up: each replaces the one before. */
export const authSubject = 'auth';

/** Of `useForm`. */
interface CredentialFieldProps {
  name: string;
  value: string;
  onChange(value: string): void;
  error: string | undefined;
}

/** The email of an account, as password managers know it. */
export function EmailField(props: CredentialFieldProps) {
  return (
    <TextField
      label={words.email}
      type="email"
      inputMode="email"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      {...props}
    />
  );
}

interface PasswordFieldProps extends CredentialFieldProps {
  /** It is being chosen, not known already. */
  isNew?: boolean;
  hint?: string;
}

export function PasswordField({ isNew = false, ...props }: PasswordFieldProps) {
  return (
    <PlainPasswordField
      label={props.name === 'confirmPassword' ? words.confirmPassword : words.password}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      showLabel={words.showPassword}
      {...props}
    />
  );
}
