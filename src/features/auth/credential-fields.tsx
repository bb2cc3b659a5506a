import { TextField } from '#ui/field.tsx';
import { PasswordField as PlainPasswordField } from '#ui/password-field.tsx';
import { words } from './words.ts';

interface CredentialFieldProps {
  value: string;
  onChange(value: string): void;
  error: string | undefined;
}

/** The e-mail of an account, as password managers know it. */
export function EmailField(props: CredentialFieldProps) {
  return (
    <TextField
      label={words.email}
      name="email"
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
  /** Known already, being chosen, or typed once more to be sure of it. */
  kind: 'known' | 'new' | 'confirmed';
  hint?: string;
}

export function PasswordField({ kind, ...props }: PasswordFieldProps) {
  return (
    <PlainPasswordField
      label={kind === 'confirmed' ? words.confirmPassword : words.password}
      name={kind === 'confirmed' ? 'confirmPassword' : 'password'}
      autoComplete={kind === 'known' ? 'current-password' : 'new-password'}
      showLabel={words.showPassword}
      {...props}
    />
  );
}
