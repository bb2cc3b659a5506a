import { useAtomValue } from 'jotai';
import { useEffect, useRef } from 'react';
import { Navigate, Outlet, useLocation, useNavigate, useNavigationType } from 'react-router-dom';
import { useServices } from '#data/services.ts';
import { app as words } from '#messages/en/app.ts';
import { type Session, sessionAtom } from '#state/session.ts';
import { Frame } from '#ui/frame.tsx';
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
      return <ExpiredRoute {...session} />;
    case 'offlineLocked':
      return <OfflineLocked {...session} />;
    case 'failed':
      throw session.error;
    case 'signedIn':
      return isInside(session) ? <Outlet /> : <ToAuth isSilent={false} />;
  }
}

const closed = chunkOf(() => import('./closed-screens.tsx'));
const Expired = closed('Expired');
const OfflineLocked = closed('OfflineLocked');

function ExpiredRoute(expired: Extract<Session, { kind: 'expired' }>) {
  const { session } = useServices();
  const navigate = useNavigate();
  const goToLogin = () => {
    leftAt = `${window.location.pathname}${window.location.search}`;
    void session.leaveExpired().then(() => navigate('/auth'));
  };
  return <Expired {...expired} onLeave={goToLogin} />;
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
