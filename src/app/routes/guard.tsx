import { useAtomValue } from 'jotai';
import { Clock, WifiOff } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Navigate, Outlet, useLocation, useNavigate, useNavigationType } from 'react-router-dom';
import { startTriggers } from '#app/background/sync-triggers.ts';
import { useServices } from '#data/services.ts';
import { app as words } from '#messages/en/app.ts';
import { auth as authWords } from '#messages/en/auth.ts';
import { type Session, sessionAtom } from '#state/session.ts';
import { Button } from '#ui/button.tsx';
import { Frame } from '#ui/frame.tsx';
import { MessageScreen } from '#ui/screen.tsx';
import { chunkOf } from './chunks.tsx';
import { WaitingScreen } from './simple-screens.tsx';

/** Address at which the session expired: a payment return there is still verified. */
let leftAt = '/';

const isInside = (session: Session) =>
  session.kind === 'signedIn' && session.userInfo.roles.length > 0;

export function Guard() {
  const session = useAtomValue(sessionAtom);
  switch (session.kind) {
    case 'starting':
      return <WaitingScreen />;
    case 'signedOut':
      return <ToAuth isSilent={session.isByChoice} />;
    case 'expired':
      return <Expired {...session} />;
    case 'offlineLocked':
      return <OfflineLocked {...session} />;
    case 'failed':
      throw session.error;
    case 'signedIn':
      return isInside(session) ? <Outlet /> : <ToAuth isSilent={false} />;
  }
}

type Of<Kind extends Session['kind']> = Extract<Session, { kind: Kind }>;

function Expired({ message, unsent, deleted }: Of<'expired'>) {
  const { session } = useServices();
  const navigate = useNavigate();
  const goToLogin = () => {
    leftAt = `${window.location.pathname}${window.location.search}`;
    void session.leaveExpired().then(() => navigate('/auth'));
  };
  return (
    <Frame>
      <MessageScreen title={authWords.expiredTitle} icon={<Clock aria-hidden size={40} />}>
        <p>{message}</p>
        {unsent > 0 && <p>{authWords.expiredUnsent(unsent)}</p>}
        {deleted > 0 && <p>{authWords.expiredDeleted(deleted)}</p>}
        <Button onClick={goToLogin}>{authWords.goToLogin}</Button>
      </MessageScreen>
    </Frame>
  );
}

const checkAgainMs = 10_000;

/**
 * A known device without local data to open and without an answer from the network. Retries
 * automatically until the network is back.
 */
function OfflineLocked({ unsent, isInMemory }: Of<'offlineLocked'>) {
  const { session } = useServices();
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => {
    let isChecking = false;
    const check = async () => {
      if (isChecking) return;
      isChecking = true;
      await session.resume();
      isChecking = false;
    };
    const stop = startTriggers({ request: () => void check() });
    const timer = setInterval(() => void check(), checkAgainMs);
    return () => {
      stop();
      clearInterval(timer);
    };
  }, [session]);
  const tryAgain = async () => {
    setIsBusy(true);
    await session.resume();
    setIsBusy(false);
  };
  return (
    <Frame>
      <MessageScreen title={authWords.lockedTitle} icon={<WifiOff aria-hidden size={40} />}>
        <p>{isInMemory ? authWords.lockedInMemory : authWords.lockedText}</p>
        {unsent > 0 && <p>{authWords.lockedUnsent(unsent)}</p>}
        <Button isBusy={isBusy} onClick={() => void tryAgain()}>
          {isBusy ? authWords.trying : authWords.tryAgain}
        </Button>
      </MessageScreen>
    </Frame>
  );
}

/** `isSilent`: they logged out themselves, so the form does not explain a redirect. */
function ToAuth({ isSilent }: { isSilent: boolean }) {
  const location = useLocation();
  const navigate = useNavigate();
  // Runs again on navigation while the chunk of /auth loads.
  useEffect(() => {
    const state = isSilent ? null : { from: `${location.pathname}${location.search}` };
    navigate('/auth', { replace: true, state });
  }, [location, isSilent, navigate]);
  return <WaitingScreen />;
}

export const AuthScreen = chunkOf(() => import('#features/auth/screens/auth-screen.tsx'))(
  'AuthScreen',
);

function originOf(state: unknown): string {
  const from = (state as { from?: unknown } | null)?.from;
  return typeof from === 'string' && from.startsWith('/') && !from.startsWith('//') ? from : '/';
}

export function AuthRoute() {
  const session = useAtomValue(sessionAtom);
  const navigate = useNavigate();
  const location = useLocation();
  // Not after a reload or Back: history keeps the state.
  const wasSent = useNavigationType() !== 'POP' && location.state !== null;
  // Signed in by this form: its success toast shows for two seconds before the dashboard.
  const wasOut = useRef(false);
  if (session.kind === 'signedOut' || session.kind === 'expired') wasOut.current = true;
  const from = originOf(location.state);
  const origin = from === '/' ? leftAt : from;
  if (isInside(session) && !wasOut.current) return <Navigate to={origin} replace />;
  return (
    <Frame>
      <AuthScreen
        reason={wasSent ? words.loginRequired : null}
        onEnter={() => {
          leftAt = '/';
          navigate(origin, { replace: true });
        }}
      />
    </Frame>
  );
}
