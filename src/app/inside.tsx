import { useEffect } from 'react';
import { Outlet } from 'react-router-dom';
import { useSignedIn } from '#live/services.ts';
import { announce } from './announcements.ts';
import { startChangeStream } from './change-stream.ts';
import { startTriggers } from './sync-triggers.ts';

/** Around every screen behind the guard: wakes the engine and says what the server answered. */
export function Inside() {
  const { api, engine, userInfo } = useSignedIn();
  useEffect(() => startTriggers(engine), [engine]);
  const { id } = userInfo;
  useEffect(() => startChangeStream({ api, engine, userId: id }), [api, engine, id]);
  useEffect(() => announce(engine), [engine]);
  return <Outlet />;
}
