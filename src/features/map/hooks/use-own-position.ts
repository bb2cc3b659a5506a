import { useAtomValue, useSetAtom } from 'jotai';
import { useEffect, useState } from 'react';
import type { Location } from '#contract/fields.ts';
import { isPositionGranted, locateAtom, positionAtom } from '#state/position.ts';

interface Moment {
  /** A visible map would show it. */
  isOfUse: boolean;
  /** The user is signed in and sees the map: the browser may prompt. */
  mayAsk: boolean;
}

/** Read once per page load; the browser prompts only if `mayAsk`. */
export function useOwnPosition({ isOfUse, mayAsk }: Moment): Location | null {
  const position = useAtomValue(positionAtom);
  const locate = useSetAtom(locateAtom);
  const [isDone, setDone] = useState(position !== null);
  const isWanted = isOfUse && !isDone;
  useEffect(() => {
    if (!isWanted) return;
    let isCurrent = true;
    const read = async () => {
      if (!mayAsk && !(await isPositionGranted())) return;
      if (!isCurrent) return;
      setDone(true);
      const { located } = await locate();
      // biome-ignore lint/suspicious/noConsole: the specification fixes this line.
      if (located !== 'located') console.log('Could not retrieve location');
    };
    void read();
    return () => {
      isCurrent = false;
    };
  }, [isWanted, mayAsk, locate]);
  return position;
}
