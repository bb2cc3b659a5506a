import { useEffect } from 'react';
import { Outlet } from 'react-router-dom';
import { useSignedIn } from '#live/services.ts';
import { announce } from './announcements.ts';
import { startTriggers } from './sync-triggers.ts';

/** Around every screen behind the guard: wakes the engine and says what the server answered. */
export function Inside() {
  const { engine } = useSignedIn();
  useEffect(() => startTriggers(engine), [engine]);
  useEffect(() => announce(engine), [engine]);
  return <Outlet />;
}
