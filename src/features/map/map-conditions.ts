/** How the map fares, and the conditions of the window it is shown in. */
import { useCallback, useSyncExternalStore } from 'react';

/** The map's own count of how its files fare. */
export interface TileHealth {
  shown: number;
  failed: number;
}

/** Of some fifteen tiles of a phone's view: if none of so many loads, the source has failed. */
export const tooManyFailed = 4;

/** Nothing has loaded, and nothing is likely to. */
export function isHopeless({ shown, failed }: TileHealth): boolean {
  return shown === 0 && failed >= tooManyFailed;
}

const firstPauseMs = 60_000;
const longestPauseMs = 30 * 60_000;

/** How long a source that failed `times` in a row is left alone, ms. */
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

/** Wider than the column that the screens stand in (tokens.css, --column). */
export const useIsWide = () => useMedia('(min-width: 40rem)');
