import { useState } from 'react';
import { Form, SaveOrCancel } from './field.tsx';
import { PasswordField } from './password-field.tsx';
import { type Complaint, useForm } from './use-form.ts';

const empty = { password: '', confirmPassword: '' };

interface NewPasswordFormProps {
  words: Record<
    'open' | 'newPassword' | 'confirm' | 'show' | 'save' | 'busy' | 'cancel',
    string
  > & {
    /** The password's rule. */
    hint?: string;
  };
  /** Tells password managers whose password this is; omitted when setting another user's. */
  email?: string;
  submit(typed: typeof empty): Promise<Complaint | null>;
  onCancel(): void;
}

export function NewPasswordForm({ words, email, submit, onCancel }: NewPasswordFormProps) {
  const [values, onChange] = useState(empty);
  const form = useForm({ values, onChange, submit: () => submit(values) });
  const shared = { showLabel: words.show, autoComplete: 'new-password' } as const;
  return (
    <Form
      {...form.props}
      label={words.open}
      actions={<SaveOrCancel words={words} isBusy={form.isBusy} onCancel={onCancel} />}
    >
      {email !== undefined && (
        <input type="email" name="username" autoComplete="username" hidden readOnly value={email} />
      )}
      <PasswordField
        label={words.newPassword}
        hint={words.hint}
        {...shared}
        {...form.field('password')}
      />
      <PasswordField label={words.confirm} {...shared} {...form.field('confirmPassword')} />
    </Form>
  );
}
