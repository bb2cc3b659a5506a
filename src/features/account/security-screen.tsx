import { useState } from 'react';
import { ApiFailure } from '#api/failure.ts';
import { checkPasswordChange, type FieldMessages } from '#domain/validation.ts';
import { newId } from '#live/new-id.ts';
import { useSignedIn } from '#live/services.ts';
import { BackButton } from '#ui/back-button.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Form, TextField } from '#ui/field.tsx';
import { Opening } from '#ui/opening.tsx';
import { Screen } from '#ui/screen.tsx';
import layout from '#ui/stack.module.css';
import { showError, showInfo, showSuccess } from '#ui/toast.tsx';
import { words } from './words.ts';

export function SecurityScreen() {
  return (
    <Screen title={words.security} lead={<BackButton label={words.back} to="/account" />}>
      <Card title={words.password.heading}>
        <p>{words.password.text}</p>
        <Opening label={words.password.open}>{(close) => <PasswordForm onDone={close} />}</Opening>
      </Card>
    </Screen>
  );
}

/** What is said of the password takes the place of what was said before. */
const about = { subject: 'password' };

const empty = { password: '', confirmPassword: '' };

function PasswordForm({ onDone }: { onDone(): void }) {
  const { api, userInfo } = useSignedIn();
  const [form, setForm] = useState(empty);
  const [errors, setErrors] = useState<FieldMessages>({});
  const [isBusy, setIsBusy] = useState(false);

  const fail = (error: unknown) => {
    const failure = error instanceof ApiFailure ? error.failure : null;
    if (failure?.fields) setErrors(failure.fields);
    if (failure && failure.kind !== 'http') showError(words.needsNetwork, about);
    else showError(failure?.message || words.password.failure, about);
  };

  const submit = async () => {
    if (isBusy) return;
    const checked = checkPasswordChange(form);
    setErrors(checked.isValid ? {} : checked.fields);
    if (!checked.isValid) return;
    setIsBusy(true);
    showInfo(words.password.busy, { ...about, durationMs: 10_000 });
    try {
      await api.patchUser({ id: userInfo.id, password: checked.value }, newId());
      showSuccess(words.password.success, about);
      onDone();
    } catch (error) {
      fail(error);
      setIsBusy(false);
    }
  };

  return (
    <Form
      onSubmit={() => void submit()}
      errors={errors}
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
      {/* So that password managers know whose password this is. */}
      <input
        type="email"
        name="username"
        autoComplete="username"
        hidden
        readOnly
        value={userInfo.email}
      />
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
