import { TextField } from '#ui/field.tsx';
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

/** The password that is known already, with `isNew` one that is being chosen. */
export function PasswordField({
  isNew = false,
  ...props
}: CredentialFieldProps & { isNew?: boolean; hint?: string }) {
  return (
    <TextField
      label={words.password}
      name="password"
      type="password"
      autoComplete={isNew ? 'new-password' : 'current-password'}
      {...props}
    />
  );
}
