import { useAtomValue } from 'jotai';
import { useEffect } from 'react';
import { Outlet, useLocation, useNavigate } from 'react-router-dom';
import { startTriggers } from '#app/background/sync-triggers.ts';
import { useServices } from '#data/services.ts';
import { OfflineLockedScreen } from '#features/auth/screens/offline-locked-screen.tsx';
import { SessionExpiredScreen } from '#features/auth/screens/session-expired-screen.tsx';
import { sessionAtom } from '#state/session.ts';
import { Frame } from '#ui/frame.tsx';
import { WaitingScreen } from './simple-screens.tsx';

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
          <SessionExpiredScreen
            message={session.message}
            unsent={session.unsent}
            onGoToLogin={onGoToLogin}
          />
        </Frame>
      );
    case 'offlineLocked':
      return <OfflineLocked unsent={session.unsent} isInMemory={session.isInMemory} />;
    case 'failed':
      throw session.error;
    case 'signedIn':
      return session.userInfo.roles.length > 0 ? <Outlet /> : <ToAuth isSilent={false} />;
  }
}

/** How long a phone that shows nothing else waits before it looks for the network again. */
const lookAgainMs = 10_000;

/** It goes by itself once the network is back: then nobody is there to press a button. */
function OfflineLocked(props: { unsent: number; isInMemory: boolean }) {
  const { session } = useServices();
  useEffect(() => {
    let isLooking = false;
    const look = async () => {
      if (isLooking) return;
      isLooking = true;
      await session.resume();
      isLooking = false;
    };
    const stop = startTriggers({ request: () => void look() });
    const timer = setInterval(() => void look(), lookAgainMs);
    return () => {
      stop();
      clearInterval(timer);
    };
  }, [session]);
  return (
    <Frame>
      <OfflineLockedScreen {...props} />
    </Frame>
  );
}

/**
 * Remembers where they were going, by which the sign-in form knows that they were sent. `isSilent`:
 * they have just logged out and know.
 */
function ToAuth({ isSilent }: { isSilent: boolean }) {
  const location = useLocation();
  const navigate = useNavigate();
  // Its file may yet have to come, and whoever goes elsewhere meanwhile is sent once more.
  useEffect(() => {
    const state = isSilent ? null : { from: `${location.pathname}${location.search}` };
    navigate('/auth', { replace: true, state });
  }, [location, isSilent, navigate]);
  return <WaitingScreen />;
}
