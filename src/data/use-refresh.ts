import { useCallback, useEffect, useRef, useState } from 'react';
import { useSignedIn } from './services.ts';

/** On slower networks the connection line takes over. */
const longestMs = 10_000;

/** Lets the user sync everything now. `onEnd`: whether the server answered. */
export function useRefresh(onEnd: (isAnswered: boolean) => void) {
  const { engine } = useSignedIn();
  const [isBusy, setIsBusy] = useState(false);
  const stop = useRef(() => {});
  const end = useRef(onEnd);
  end.current = onEnd;
  useEffect(() => () => stop.current(), []);
  const refresh = useCallback(() => {
    stop.current();
    setIsBusy(true);
    let hasBegun = false;
    const finish = () => {
      stop.current();
      setIsBusy(false);
      end.current(engine.status().lastFailure === null);
    };
    const unsubscribe = engine.subscribe((event) => {
      if (event.kind !== 'status') return;
      if (event.status.phase !== 'idle') hasBegun = true;
      else if (hasBegun) finish();
    });
    const timer = setTimeout(finish, longestMs);
    stop.current = () => {
      unsubscribe();
      clearTimeout(timer);
    };
    engine.request('retry');
  }, [engine]);
  return { isBusy, refresh };
}
