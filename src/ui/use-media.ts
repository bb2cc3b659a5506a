import { useCallback, useSyncExternalStore } from 'react';

/** Rail and panes; a phone held sideways is never high enough. */
export const deskMedia = '(min-width: 900px) and (min-height: 500px)';

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
