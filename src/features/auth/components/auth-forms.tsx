/** The two forms of /auth. The screen holds their values, so that switching forms loses nothing. */
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import { ApiFailure } from '#api/failure.ts';
import { registrableRoles } from '#contract/auth.ts';
import { useServices } from '#data/services.ts';
import { type Failure, isUnanswered } from '#domain/outcome.ts';
import type { Checked, LoginForm, SignUpForm as SignUpTyped } from '#domain/validation.ts';
import { auth as words } from '#messages/en/auth.ts';
import { safeLocalStorage } from '#state/safe-storage.ts';
import { trustStorageKey } from '#state/session.ts';
import { buttonClass } from '#ui/button.tsx';
import { Checkbox, Form, SelectField, Submit, TextField, type TextFieldProps } from '#ui/field.tsx';
import { PasswordField } from '#ui/password-field.tsx';
import { dismissToast, showError, showSuccess } from '#ui/toast.tsx';
import { type Complaint, useForm } from '#ui/use-form.ts';

/** Shared toast subject: each toast replaces the previous one. */
export const about = { subject: 'auth' };

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

interface AuthFormProps<Typed extends LoginForm, Value> {
  name: 'signIn' | 'signUp';
  typed: Typed;
  onType(typed: Typed): void;
  check(rules: typeof import('#domain/validation.ts')): Checked<Value>;
  send(value: Value): Promise<void>;
  /** Undefined: the general message. */
  sentenceOf(refusal: Failure): string | undefined;
  /** Complaints that stay at the fields after the toast. */
  fieldsOf?(refusal: Failure): Complaint['fields'];
  /** Called after the success toast shows. */
  onDone(value: Value): void;
  children(field: ReturnType<typeof useForm<Typed>>['field']): ReactNode;
}

function AuthForm<Typed extends LoginForm, Value>(props: AuthFormProps<Typed, Value>) {
  const { typed, onType, check, send, sentenceOf, fieldsOf, onDone, children } = props;
  const said = words[props.name];
  const form = useForm<Typed>({
    values: typed,
    onChange: onType,
    submit: async () => {
      try {
        const checked = check(await import('#domain/validation.ts'));
        if (!checked.isValid) return checked;
        dismissToast(about.subject);
        await send(checked.value);
        showSuccess(said.success, about);
        onDone(checked.value);
        return null;
      } catch (error) {
        const failure = error instanceof ApiFailure ? error.failure : null;
        if (isUnanswered(failure)) {
          // It stays with the form until the connection is back.
          const offline = { message: said.offline };
          const clear = () => form.complain((shown) => (shown === offline ? {} : shown));
          addEventListener('online', clear, { once: true });
          return offline;
        }
        showError((failure && sentenceOf(failure)) ?? said.failure, about);
        return { fields: failure?.fields ?? (failure && fieldsOf?.(failure)) ?? undefined };
      }
    },
  });
  return (
    <Form
      {...form.props}
      label={said.title}
      actions={<Submit isWide words={said} isBusy={form.isBusy} />}
    >
      <TextField
        label={words.email}
        type="email"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        {...form.field('email')}
      />
      {children(form.field)}
    </Form>
  );
}

const Password = (props: TextFieldProps) => (
  <PasswordField showLabel={words.showPassword} {...props} />
);

interface SignInFormProps extends Pick<AuthFormProps<LoginForm, LoginForm>, 'typed' | 'onType'> {
  onSignedIn(): void;
}

export function SignInForm({ typed, onType, onSignedIn }: SignInFormProps) {
  const { session } = useServices();
  const [isTrusted, setIsTrusted] = useState(safeLocalStorage.getItem(trustStorageKey) === 'true');
  const trust = (isChecked: boolean) => {
    setIsTrusted(isChecked);
    safeLocalStorage.setItem(trustStorageKey, String(isChecked));
  };
  return (
    <AuthForm
      name="signIn"
      typed={typed}
      onType={onType}
      check={({ checkLogin }) => checkLogin(typed)}
      send={(login) => session.signIn({ ...login, trustDevice: isTrusted })}
      sentenceOf={({ status, message }) => {
        if (status === 404) return words.signIn.emailUnknown;
        if (status === 401) return words.signIn.wrongPassword;
        // The server's message says what to do: too many attempts, account closed.
        return status === 403 || status === 429 ? message : undefined;
      }}
      fieldsOf={({ status }) => {
        if (status === 404) return { email: words.signIn.checkEmail };
        return status === 401 ? { password: words.signIn.checkPassword } : undefined;
      }}
      onDone={onSignedIn}
    >
      {(field) => (
        <>
          <Password label={words.password} autoComplete="current-password" {...field('password')} />
          {/* Not the hint: after a wrong password the error would take its place. */}
          <Link className={buttonClass('plain')} to="/forgot-password">
            {words.signIn.forgot}
          </Link>
          <Checkbox
            label={words.trustThisDevice}
            hint={words.trustHint}
            isChecked={isTrusted}
            onChange={trust}
          />
        </>
      )}
    </AuthForm>
  );
}

interface SignUpFormProps extends Pick<AuthFormProps<SignUpTyped, never>, 'typed' | 'onType'> {
  onSignedUp(email: string): void;
}

export function SignUpForm({ typed, onType, onSignedUp }: SignUpFormProps) {
  const { session } = useServices();
  return (
    <AuthForm
      name="signUp"
      typed={typed}
      onType={onType}
      check={({ checkSignUp }) => checkSignUp(typed)}
      send={session.signUp}
      sentenceOf={({ status, code, message }) => {
        if (code === 'email_taken') return words.signUp.emailTaken;
        // 'Too many attempts' tells what to do.
        return status === 409 || status === 429 ? message : undefined;
      }}
      onDone={({ email }) => onSignedUp(email)}
    >
      {(field) => (
        <>
          <SelectField
            label={words.registerAs}
            choices={roleChoices}
            hint={words.signUp.roleHint}
            {...field('role')}
          />
          <Password
            label={words.password}
            autoComplete="new-password"
            hint={words.signUp.passwordHint}
            {...field('password')}
          />
          <Password
            label={words.confirmPassword}
            autoComplete="new-password"
            {...field('confirmPassword')}
          />
        </>
      )}
    </AuthForm>
  );
}
