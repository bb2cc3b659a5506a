import { useSetAtom } from 'jotai';
import { useEffect } from 'react';
import { mapExposureAtom } from '#state/map.ts';

/** Opens the map, and so loads it, while the screen shows it. Home has its own say (features/home). */
export function useOpenMap(isShown: boolean): void {
  const expose = useSetAtom(mapExposureAtom);
  useEffect(() => {
    if (!isShown) return;
    expose('open');
    return () => expose('covered');
  }, [isShown, expose]);
}
