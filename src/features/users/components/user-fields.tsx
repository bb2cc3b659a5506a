import type { UserForm } from '#domain/administration.ts';
import { fields } from '#messages/en/fields.ts';
import { users as words } from '#messages/en/users.ts';
import { type FieldProps, TextField } from '#ui/field.tsx';

const controls = [
  { name: 'firstName' },
  { name: 'lastName' },
  { name: 'email', type: 'email', inputMode: 'email' },
  { name: 'phoneNumber', type: 'tel', inputMode: 'tel' },
  { name: 'address', hint: words.hints.optional },
  { name: 'vehicle', hint: words.hints.vehicle },
] as const;

interface UserFieldsProps {
  field(name: keyof UserForm): Pick<FieldProps, 'value' | 'onChange' | 'error'>;
}

export function UserFields({ field }: UserFieldsProps) {
  return controls.map(({ name, ...rest }) => (
    <TextField
      key={name}
      label={fields.labels[name]}
      // Not the admin's own data: no browser autofill.
      autoComplete="off"
      {...rest}
      {...field(name)}
    />
  ));
}
