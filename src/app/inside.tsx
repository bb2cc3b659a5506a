import { useEffect } from 'react';
import { Outlet } from 'react-router-dom';
import { sayAllChanged } from '#db/kept-database.ts';
import { useSignedIn } from '#live/services.ts';
import { announce } from './announcements.ts';
import { startChangeStream } from './change-stream.ts';
import { watchOutbox } from './outbox-watch.ts';
import { createSpeaker } from './speaker.ts';
import { startTriggers } from './sync-triggers.ts';
import { onWakeUp } from './wake-up.ts';

/** Around every screen behind the guard: wakes the engine and says what the server answered. */
export function Inside() {
  const { api, db, engine, packages, userInfo } = useSignedIn();
  useEffect(() => startTriggers(engine), [engine]);
  const { id } = userInfo;
  useEffect(() => startChangeStream({ api, engine, userId: id }), [api, engine, id]);
  useEffect(() => watchOutbox({ db, packages, engine }), [db, packages, engine]);
  useEffect(() => onWakeUp(sayAllChanged), []);
  useEffect(() => {
    const speaker = createSpeaker(id);
    const stop = announce(engine, speaker);
    return () => {
      stop();
      speaker.stop();
    };
  }, [engine, id]);
  return <Outlet />;
}
