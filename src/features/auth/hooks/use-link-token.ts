import { useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { readLinkToken } from '#domain/link-token.ts';

/**
 * The token of the mailed link at this address, null if it has none. It is removed from the address:
 * a shared screen, a bookmark and the history must not show it. Another link may be opened in the
 * same tab.
 */
export function useLinkToken(): string | null {
  const location = useLocation();
  const [token, setToken] = useState(() => readLinkToken(location.hash));
  useEffect(() => {
    if (location.hash === '') return;
    setToken(readLinkToken(location.hash));
    history.replaceState(history.state, '', location.pathname + location.search);
  }, [location]);
  return token;
}
