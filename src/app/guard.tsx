import { useAtomValue } from 'jotai';
import { useEffect } from 'react';
import { Outlet, useLocation, useNavigate } from 'react-router-dom';
import { OfflineLockedScreen } from '#features/auth/offline-locked-screen.tsx';
import { SessionExpiredScreen } from '#features/auth/session-expired-screen.tsx';
import { useServices } from '#live/services.ts';
import { sessionAtom } from '#state/session.ts';
import { Frame } from '#ui/frame.tsx';
import { showInfo } from '#ui/toast.tsx';
import { WaitingScreen } from './simple-screens.tsx';
import { startTriggers } from './sync-triggers.ts';
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
          <SessionExpiredScreen
            message={session.message}
            unsent={session.unsent}
            onGoToLogin={onGoToLogin}
          />
        </Frame>
      );
    case 'offlineLocked':
      return <OfflineLocked unsent={session.unsent} isInMemory={session.isInMemory} />;
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

/** Remembers where they were going. `isSilent`: they have just logged out and know. */
function ToAuth({ isSilent }: { isSilent: boolean }) {
  const location = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    if (!isSilent) showInfo(words.loginRequired, { durationMs: loginRequiredMs });
  }, [isSilent]);
  // Its file may yet have to come, and whoever goes elsewhere meanwhile is sent once more.
  useEffect(() => {
    const state = isSilent ? null : { from: `${location.pathname}${location.search}` };
    navigate('/auth', { replace: true, state });
  }, [location, isSilent, navigate]);
  return <WaitingScreen />;
}
