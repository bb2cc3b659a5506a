import { useAtomValue, useSetAtom } from 'jotai';
import { useEffect } from 'react';
import type { Location } from '#contract/fields.ts';
import { isPositionGranted, locateAtom, positionAtom } from '#state/position.ts';

/** A courier's position, read only with a permission granted before: opening a screen never prompts. */
export function usePlace(isCourier: boolean): Location | null {
  const locate = useSetAtom(locateAtom);
  const position = useAtomValue(positionAtom);
  useEffect(() => {
    if (!isCourier) return;
    const read = async () => {
      if (document.visibilityState === 'visible' && (await isPositionGranted())) await locate();
    };
    void read();
    document.addEventListener('visibilitychange', read);
    return () => document.removeEventListener('visibilitychange', read);
  }, [isCourier, locate]);
  return isCourier ? position : null;
}
