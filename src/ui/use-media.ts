import { useCallback, useSyncExternalStore } from 'react';

/** Rail and panes; a phone held sideways is never high enough. */
export const deskMedia = '(min-width: 900px) and (min-height: 500px)';

/** Two columns of a detail, a dispatcher's tables and columns. */
export const broadMedia = '(min-width: 1280px)';

export function useMedia(query: string): boolean {
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
