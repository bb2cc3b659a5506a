import { useAtom } from 'jotai';
import { CloudUpload } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { failureOf } from '#api/failure.ts';
import { useServices } from '#data/services.ts';
import { sentenceOfFailure } from '#domain/outcome.ts';
import { checkEmail } from '#domain/validation.ts';
import { AuthPanel } from '#features/auth/components/auth-panel.tsx';
import { auth } from '#messages/en/auth.ts';
import { recovery as words } from '#messages/en/recovery.ts';
import { noteLinkSentTo, signInEmailAtom } from '#state/sign-in-email.ts';
import { Button, buttonClass } from '#ui/button.tsx';
import { Form, Submit, TextField } from '#ui/field.tsx';
import { useScreenHeading } from '#ui/screen.tsx';
import layout from '#ui/stack.module.css';
import { showError, showSuccess } from '#ui/toast.tsx';
import { useForm } from '#ui/use-form.ts';
import { useIsOnline } from '#ui/use-online.ts';

/** Before that the first mail may still be on its way. */
const againAfterMs = 60_000;

/** Resolves with what went wrong, or with null once the server has accepted it. */
function useSendLink() {
  const { links } = useServices().session;
  return async (email: string): Promise<string | null> => {
    try {
      await links.forgotPassword(email);
      noteLinkSentTo(email);
      return null;
    } catch (error) {
      const failure = failureOf(error);
      // A server that knows only the specification.
      if (failure?.kind === 'http' && failure.status === 404) return words.forgot.unavailable;
      const said = { needsNetwork: words.offline, otherwise: words.failure };
      return sentenceOfFailure(failure, said);
    }
  };
}

/** Work of this device that is not sent yet: a new password does not cost it. */
function Waiting() {
  const { countWaiting } = useServices().session;
  const [count, setCount] = useState(0);
  useEffect(() => void countWaiting().then(setCount), [countWaiting]);
  return (
    count > 0 && (
      <p className={`${layout.box} ${layout.neutral}`}>
        <CloudUpload aria-hidden size={20} />
        {words.waiting(count)}
      </p>
    )
  );
}

const ToSignIn = () => (
  <Link className={buttonClass('plain')} to="/auth" replace>
    {words.toSignIn}
  </Link>
);

interface ForgotPasswordScreenProps {
  /** Shown where no mail is sent at all. */
  noMail: ReactNode;
  /** Whom to ask if none arrives. */
  support: ReactNode;
}

export function ForgotPasswordScreen({ noMail, support }: ForgotPasswordScreenProps) {
  const [sentTo, setSentTo] = useState<string | null>(null);
  if (sentTo === null) return <AskForLink noMail={noMail} onSent={setSentTo} />;
  return <LinkSent email={sentTo} support={support} onOtherEmail={() => setSentTo(null)} />;
}

interface AskForLinkProps extends Pick<ForgotPasswordScreenProps, 'noMail'> {
  onSent(email: string): void;
}

function AskForLink({ noMail, onSent }: AskForLinkProps) {
  const heading = useScreenHeading(words.forgot.title);
  const isOnline = useIsOnline();
  const [email, setEmail] = useAtom(signInEmailAtom);
  const sendLink = useSendLink();
  const form = useForm({
    values: { email },
    onChange: (typed) => setEmail(typed.email),
    submit: async () => {
      const checked = checkEmail(email);
      if (!checked.isValid) return checked;
      const complaint = await sendLink(checked.value);
      if (complaint !== null) return { message: complaint };
      onSent(checked.value);
      return null;
    },
  });
  return (
    <AuthPanel title={words.forgot.title} heading={heading}>
      <p>{words.forgot.text}</p>
      {noMail}
      <Waiting />
      <Form
        {...form.props}
        label={words.forgot.title}
        message={isOnline ? form.props.message : words.offline}
        actions={<Submit isWide words={words.forgot} isBusy={form.isBusy} />}
      >
        <TextField
          label={auth.email}
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          {...form.field('email')}
        />
      </Form>
      <ToSignIn />
    </AuthPanel>
  );
}

interface LinkSentProps extends Pick<ForgotPasswordScreenProps, 'support'> {
  email: string;
  onOtherEmail(): void;
}

function LinkSent({ email, support, onOtherEmail }: LinkSentProps) {
  const heading = useScreenHeading(words.sent.title);
  const sendLink = useSendLink();
  const [isBusy, setIsBusy] = useState(false);
  const [sentCount, setSentCount] = useState(1);
  const [waitedFor, setWaitedFor] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => setWaitedFor(sentCount), againAfterMs);
    return () => clearTimeout(timer);
  }, [sentCount]);
  const sendAgain = async () => {
    setIsBusy(true);
    const complaint = await sendLink(email);
    setIsBusy(false);
    if (complaint !== null) return showError(complaint);
    setSentCount(sentCount + 1);
    showSuccess(words.sent.sentAgain);
  };
  return (
    <AuthPanel title={words.sent.title} heading={heading}>
      <p>{words.sent.text(email)}</p>
      <Waiting />
      <p className={layout.note}>{words.sent.nothing}</p>
      <Button
        tone="quiet"
        isWide
        disabled={waitedFor < sentCount}
        isBusy={isBusy}
        onClick={() => void sendAgain()}
      >
        {isBusy ? words.sent.busy : words.sent.again}
      </Button>
      {support}
      <Button tone="plain" onClick={onOtherEmail}>
        {words.sent.otherEmail}
      </Button>
      <ToSignIn />
    </AuthPanel>
  );
}
