import { useCallback, useEffect, useState } from 'react';
import { failureOf } from '#api/failure.ts';
import type { DeviceSession } from '#contract/auth.ts';
import { useSignedIn } from '#data/services.ts';
import type { Failure } from '#domain/outcome.ts';

export interface Devices {
  /** The current one first; null: not loaded yet. */
  sessions: readonly DeviceSession[] | null;
  /** Of the last attempt; 'unknown' if the product itself failed. */
  failure: Failure | 'unknown' | null;
  isLoading: boolean;
  reload(): void;
}

/** Where the user is signed in, by the server; asked again once the network is back. */
export function useDevices(): Devices {
  const { api } = useSignedIn();
  const [sessions, setSessions] = useState<Devices['sessions']>(null);
  const [failure, setFailure] = useState<Devices['failure']>(null);
  const [isLoading, setIsLoading] = useState(false);

  const reload = useCallback(async () => {
    setIsLoading(true);
    try {
      const all = await api.listSessions();
      setSessions([...all].sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent)));
      setFailure(null);
    } catch (error) {
      setFailure(failureOf(error) ?? 'unknown');
    } finally {
      setIsLoading(false);
    }
  }, [api]);

  useEffect(() => {
    const load = () => void reload();
    load();
    window.addEventListener('online', load);
    return () => window.removeEventListener('online', load);
  }, [reload]);
  return { sessions, failure, isLoading, reload: () => void reload() };
}
