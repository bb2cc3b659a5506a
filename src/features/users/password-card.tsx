import { useState } from 'react';
import type { User } from '#domain/user.ts';
import { checkPasswordChange, type FieldMessages } from '#domain/validation.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Form, TextField } from '#ui/field.tsx';
import { Opening } from '#ui/opening.tsx';
import layout from '#ui/stack.module.css';
import { dismissToast, showInfo, showSuccess } from '#ui/toast.tsx';
import { failureSentence, useCall } from './use-call.ts';
import { words } from './words.ts';

/** For who has forgotten it: an admin sets a new one and tells it to them. */
export function PasswordCard({ user }: { user: User }) {
  return (
    <Card title={words.password.title}>
      <p>{words.password.text}</p>
      <Opening tone="quiet" label={words.password.open}>
        {(close) => <PasswordFields user={user} onDone={close} />}
      </Opening>
    </Card>
  );
}

/** What is said of the password takes the place of what was said before. */
const about = { subject: 'password' };

const empty = { password: '', confirmPassword: '' };

function PasswordFields({ user, onDone }: { user: User; onDone(): void }) {
  const [form, setForm] = useState(empty);
  const [errors, setErrors] = useState<FieldMessages>({});
  const [message, setMessage] = useState<string>();
  const { call, isBusy } = useCall();

  const complain = (fields: FieldMessages, sentence: string | undefined) => {
    setErrors(fields);
    setMessage(sentence);
  };

  const submit = async () => {
    if (isBusy) return;
    const checked = checkPasswordChange(form);
    if (!checked.isValid) return complain(checked.fields, checked.message);
    complain({}, undefined);
    showInfo(words.password.busy, { ...about, durationMs: 10_000 });
    const body = { id: user.id, password: checked.value };
    const called = await call(body.id, body, (api, key) => api.patchUser(body, key));
    if (called.kind === 'done') {
      showSuccess(words.password.success, about);
      return onDone();
    }
    dismissToast(about.subject);
    const sentence = failureSentence(called.failure, words.password.failure);
    complain(called.failure?.fields ?? {}, sentence);
  };

  return (
    <Form
      onSubmit={() => void submit()}
      errors={errors}
      message={message}
      label={words.password.open}
      actions={
        <div className={layout.actions}>
          <Button tone="quiet" onClick={onDone}>
            {words.password.cancel}
          </Button>
          <Button type="submit" isBusy={isBusy}>
            {isBusy ? words.password.busy : words.password.save}
          </Button>
        </div>
      }
    >
      <TextField
        label={words.password.newPassword}
        name="password"
        type="password"
        autoComplete="new-password"
        value={form.password}
        onChange={(password) => setForm({ ...form, password })}
        error={errors.password}
      />
      <TextField
        label={words.password.confirm}
        name="confirmPassword"
        type="password"
        autoComplete="new-password"
        value={form.confirmPassword}
        onChange={(confirmPassword) => setForm({ ...form, confirmPassword })}
        error={errors.confirmPassword}
      />
    </Form>
  );
}
