import { useCallback, useSyncExternalStore } from 'react';

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
