import type { UserForm } from '#domain/administration.ts';
import type { FieldMessages } from '#domain/validation.ts';
import { TextField } from '#ui/field.tsx';
import { words } from './words.ts';

// Somebody else's: a browser must not fill in the admin's own.
const controls = [
  { name: 'firstName' },
  { name: 'lastName' },
  { name: 'email', type: 'email', inputMode: 'email' },
  { name: 'phoneNumber', type: 'tel', inputMode: 'tel' },
  { name: 'address', hint: words.hints.optional },
  { name: 'vehicle', hint: words.hints.vehicle },
] as const;

interface UserFieldsProps {
  form: UserForm;
  errors: FieldMessages;
  onChange(name: keyof UserForm, value: string): void;
}

/** A profile as an admin fills it in. */
export function UserFields({ form, errors, onChange }: UserFieldsProps) {
  return controls.map(({ name, ...rest }) => (
    <TextField
      key={name}
      {...rest}
      name={name}
      autoComplete="off"
      label={words.fields[name]}
      value={form[name]}
      onChange={(value) => onChange(name, value)}
      error={errors[name]}
    />
  ));
}
