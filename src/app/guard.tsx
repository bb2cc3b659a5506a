import { useAtomValue } from 'jotai';
import { useEffect } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router-dom';
import { OfflineLockedScreen } from '#features/auth/offline-locked-screen.tsx';
import { SessionExpiredScreen } from '#features/auth/session-expired-screen.tsx';
import { sessionAtom } from '#state/session.ts';
import { Frame } from '#ui/frame.tsx';
import { showInfo } from '#ui/toast.tsx';
import { WaitingScreen } from './simple-screens.tsx';
import { words } from './words.ts';

const loginRequiredMs = 3000;

interface GuardProps {
  onGoToLogin(): void;
}

/** SPEC.md section 2, 'Protected routes': what stands in place of a screen until somebody may see it. */
export function Guard({ onGoToLogin }: GuardProps) {
  const session = useAtomValue(sessionAtom);
  switch (session.kind) {
    case 'starting':
      return <WaitingScreen />;
    case 'signedOut':
      return <ToAuth isSilent={session.isByChoice} />;
    case 'expired':
      return (
        <Frame>
          <SessionExpiredScreen message={session.message} onGoToLogin={onGoToLogin} />
        </Frame>
      );
    case 'offlineLocked':
      return (
        <Frame>
          <OfflineLockedScreen />
        </Frame>
      );
    case 'signedIn':
      return session.userInfo.roles.length > 0 ? <Outlet /> : <ToAuth isSilent={false} />;
  }
}

/** Remembers where they were going. `isSilent`: they have just logged out and know. */
function ToAuth({ isSilent }: { isSilent: boolean }) {
  const { pathname, search } = useLocation();
  useEffect(() => {
    if (!isSilent) showInfo(words.loginRequired, { durationMs: loginRequiredMs });
  }, [isSilent]);
  const state = isSilent ? null : { from: `${pathname}${search}` };
  return <Navigate to="/auth" replace state={state} />;
}
