import { MailCheck, WifiOff } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { failureOf } from '#api/failure.ts';
import { useServices } from '#data/services.ts';
import { sentenceOfFailure } from '#domain/outcome.ts';
import { DeadLink } from '#features/auth/components/dead-link.tsx';
import { useLinkToken } from '#features/auth/hooks/use-link-token.ts';
import { recovery as words } from '#messages/en/recovery.ts';
import { Button, buttonClass } from '#ui/button.tsx';
import { MessageScreen } from '#ui/screen.tsx';

/** Confirms without a further tap: the link was tapped in the mail. */
export function ConfirmEmailScreen() {
  const token = useLinkToken();
  if (token === null) return <NotConfirmed text={words.used.incomplete} />;
  return <Confirmation key={token} token={token} />;
}

function NotConfirmed({ text }: { text: string }) {
  return (
    <DeadLink text={text}>
      <Link className={buttonClass()} to="/account">
        {words.confirm.toAccount}
      </Link>
    </DeadLink>
  );
}

type State = { kind: 'busy' | 'confirmed' | 'used' } | { kind: 'failed'; reason: string };

function Confirmation({ token }: { token: string }) {
  const { session, signedIn } = useServices();
  const [state, setState] = useState<State>({ kind: 'busy' });
  /** One attempt at a time, and none after a success. */
  const isAsked = useRef(false);

  const confirm = async () => {
    if (isAsked.current) return;
    isAsked.current = true;
    setState({ kind: 'busy' });
    try {
      await session.links.confirmEmail(token);
      setState({ kind: 'confirmed' });
      // Account no longer asks for it.
      signedIn?.engine.request('pull');
    } catch (error) {
      isAsked.current = false;
      const failure = failureOf(error);
      const said = { needsNetwork: words.offline, otherwise: words.failure };
      if (failure?.code === 'link_used') setState({ kind: 'used' });
      else setState({ kind: 'failed', reason: sentenceOfFailure(failure, said) });
    }
  };
  const begin = useRef(confirm);
  begin.current = confirm;
  const hasFailed = state.kind === 'failed';
  useEffect(() => {
    void begin.current();
  }, []);
  useEffect(() => {
    if (!hasFailed) return;
    const again = () => void begin.current();
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, [hasFailed]);

  if (state.kind === 'used') return <NotConfirmed text={words.confirm.usedText} />;
  if (state.kind === 'confirmed') {
    return (
      <MessageScreen
        key="confirmed"
        title={words.confirm.title}
        icon={<MailCheck aria-hidden size={40} />}
      >
        <p>{words.confirm.text}</p>
        <Link className={buttonClass()} to="/">
          {words.confirm.open}
        </Link>
      </MessageScreen>
    );
  }
  if (state.kind === 'failed') {
    return (
      <MessageScreen
        key="failed"
        title={words.confirm.failed}
        icon={<WifiOff aria-hidden size={40} />}
      >
        <p>{state.reason}</p>
        <Button onClick={() => void confirm()}>{words.confirm.tryAgain}</Button>
      </MessageScreen>
    );
  }
  return <MessageScreen title={words.confirm.busy} icon={<MailCheck aria-hidden size={40} />} />;
}
