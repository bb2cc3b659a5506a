/** Health of the tile source, and the window's media conditions. */
import { useCallback, useSyncExternalStore } from 'react';

export interface TileHealth {
  shown: number;
  failed: number;
}

/** A phone shows about fifteen tiles: if this many fail and none loads, the source has failed. */
export const tooManyFailed = 4;

export function isHopeless({ shown, failed }: TileHealth): boolean {
  return shown === 0 && failed >= tooManyFailed;
}

const firstPauseMs = 60_000;
const longestPauseMs = 30 * 60_000;

/** Pause in ms after `times` failures in a row. */
export function pauseMs(times: number): number {
  return Math.min(firstPauseMs * 2 ** Math.max(0, times - 1), longestPauseMs);
}

function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const list = matchMedia(query);
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}

export const useIsDark = () => useMedia('(prefers-color-scheme: dark)');

/** Wider than the screens' column (tokens.css, --column). */
export const useIsWide = () => useMedia('(min-width: 40rem)');
