import { auth as words } from '#messages/en/auth.ts';
import { TextField } from '#ui/field.tsx';
import { PasswordField as PlainPasswordField } from '#ui/password-field.tsx';

/** Shared toast subject of sign-in and sign-up: each toast replaces the previous one. */
export const authSubject = 'auth';

interface CredentialFieldProps {
  name: string;
  value: string;
  onChange(value: string): void;
  error: string | undefined;
}

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
