import { useEffect } from 'react';
import { Outlet } from 'react-router-dom';
import { refusalOf } from '#features/outbox/words.ts';
import { useSignedIn } from '#live/services.ts';
import { showError } from '#ui/toast.tsx';
import { startTriggers } from './sync-triggers.ts';

/** Around every screen behind the guard: wakes the engine and says what the server refused. */
export function Inside() {
  const { engine } = useSignedIn();
  useEffect(() => startTriggers(engine), [engine]);
  useEffect(
    () =>
      // One place for refusals: they may come long after the screen that asked is gone.
      engine.subscribe((event) => {
        if (event.kind === 'refused') showError(refusalOf(event.operation));
      }),
    [engine],
  );
  return <Outlet />;
}
