import { useAtomValue, useSetAtom } from 'jotai';
import { useEffect, useState } from 'react';
import type { Location } from '#contract/fields.ts';
import { isPositionGranted, locateAtom, positionAtom } from '#state/position.ts';

interface Moment {
  /** There is a map on the screen that it would be shown on. */
  isOfUse: boolean;
  /** The person is inside and looks at the map: the browser may ask them for it. */
  mayAsk: boolean;
}

/**
 * The person's position, read once per page load. Without a permission given before, the browser
 * asks for one only where `mayAsk`.
 */
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
