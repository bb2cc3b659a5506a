/** The courier's position, for nearby packages; it never leaves the phone (state/position.ts). */
import { useAtomValue, useSetAtom } from 'jotai';
import { useEffect, useState } from 'react';
import type { Location } from '#contract/fields.ts';
import { packages as words } from '#messages/en/packages.ts';
import type { PackageSort } from '#state/package-ui.ts';
import { isPositionGranted, locateAtom, positionAtom } from '#state/position.ts';
import { showError } from '#ui/toast.tsx';

/** Read when a list opens, only with a permission granted before: opening a list never prompts. */
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

/** Sets the order; sorting by distance first requests the position and is dropped without one. */
export function useChooseSort(setSort: (sort: PackageSort) => void) {
  const locate = useSetAtom(locateAtom);
  const [isLocating, setIsLocating] = useState(false);
  const choose = async (sort: PackageSort) => {
    setSort(sort);
    if (sort !== 'near') return;
    setIsLocating(true);
    const { located, position } = await locate();
    setIsLocating(false);
    if (position) return;
    setSort('');
    showError(located === 'denied' ? words.list.denied : words.list.unavailable);
  };
  return { isLocating, choose: (sort: PackageSort) => void choose(sort) };
}
