import { useSetAtom } from 'jotai';
import { useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { failureOf } from '#api/failure.ts';
import { useServices } from '#data/services.ts';
import { sentenceOfFailure } from '#domain/outcome.ts';
import { checkChosenPassword } from '#domain/validation.ts';
import { AuthPanel } from '#features/auth/components/auth-panel.tsx';
import { DeadLink } from '#features/auth/components/dead-link.tsx';
import { useLinkToken } from '#features/auth/hooks/use-link-token.ts';
import { recovery as words } from '#messages/en/recovery.ts';
import { forgetLinkSentTo, linkSentTo, signInEmailAtom } from '#state/sign-in-email.ts';
import { buttonClass } from '#ui/button.tsx';
import { Form, Submit } from '#ui/field.tsx';
import { PasswordField } from '#ui/password-field.tsx';
import { useScreenHeading } from '#ui/screen.tsx';
import { showSuccess } from '#ui/toast.tsx';
import { useForm } from '#ui/use-form.ts';

const toastMs = 5000;

/** From a mailed link; of a signed-in user it ends the session here, too. */
export function ResetPasswordScreen() {
  const token = useLinkToken();
  if (token === null) return <NoReset text={words.used.incomplete} />;
  return <Reset key={token} token={token} />;
}

function NoReset({ text }: { text: string }) {
  return (
    <DeadLink text={text}>
      <Link className={buttonClass()} to="/forgot-password">
        {words.used.newLink}
      </Link>
      <Link className={buttonClass('quiet')} to="/auth">
        {words.toSignIn}
      </Link>
    </DeadLink>
  );
}

function Reset({ token }: { token: string }) {
  /** Why the link does not work. */
  const [reason, setReason] = useState<string | null>(null);
  if (reason !== null) return <NoReset text={reason} />;
  return <NewPassword token={token} onDead={setReason} />;
}

interface NewPasswordProps {
  token: string;
  onDead(reason: string): void;
}

function NewPassword({ token, onDead }: NewPasswordProps) {
  const heading = useScreenHeading(words.reset.title);
  const { session, signedIn } = useServices();
  const setSignInEmail = useSetAtom(signInEmailAtom);
  const navigate = useNavigate();
  const [values, onChange] = useState({ password: '' });
  /** An attempt without an answer may have used the link. */
  const isUnclear = useRef(false);

  const set = async (password: string) => {
    try {
      await session.links.resetPassword({ token, password });
      return null;
    } catch (error) {
      const failure = failureOf(error);
      if (failure?.code === 'link_used') {
        onDead(isUnclear.current ? words.used.maybeSet : words.used.text);
        return {};
      }
      isUnclear.current ||= failure !== null && failure.kind !== 'http';
      const needsNetwork = navigator.onLine ? words.reset.unknown : words.offline;
      const said = { needsNetwork, otherwise: words.failure };
      return { fields: failure?.fields, message: sentenceOfFailure(failure, said) };
    }
  };

  const form = useForm({
    values,
    onChange,
    submit: async () => {
      const checked = checkChosenPassword(values.password);
      if (!checked.isValid) return checked;
      const complaint = await set(checked.value);
      if (complaint !== null) return complaint;
      setSignInEmail(linkSentTo());
      forgetLinkSentTo();
      showSuccess(words.reset.success, { durationMs: toastMs });
      // Learns that the session here has ended, if it was of the same account.
      signedIn?.engine.request('start');
      navigate('/auth', { replace: true });
      return null;
    },
  });

  return (
    <AuthPanel title={words.reset.title} heading={heading}>
      <p>{words.reset.text}</p>
      <Form
        {...form.props}
        label={words.reset.title}
        actions={<Submit isWide words={words.reset} isBusy={form.isBusy} />}
      >
        {/* Tells password managers whose it is, where that is known. */}
        <input
          type="email"
          name="username"
          autoComplete="username"
          hidden
          readOnly
          value={linkSentTo()}
        />
        <PasswordField
          label={words.reset.newPassword}
          showLabel={words.reset.show}
          autoComplete="new-password"
          hint={words.reset.hint}
          {...form.field('password')}
        />
      </Form>
    </AuthPanel>
  );
}
