import { useAtom } from 'jotai';
import { useSyncExternalStore } from 'react';
import { installDeclinedAtAtom } from '#state/install.ts';
import {
  askToInstall,
  type InstallWay,
  installWay,
  subscribeToInstallPrompt,
} from './install-prompt.ts';

export interface Install {
  way: InstallWay;
  /** Milliseconds since 1970; 0: never. */
  declinedAtMs: number;
  install(): void;
  decline(): void;
}

export function useInstall(): Install {
  const way = useSyncExternalStore(subscribeToInstallPrompt, installWay);
  const [declinedAtMs, setDeclinedAtMs] = useAtom(installDeclinedAtAtom);
  const decline = () => setDeclinedAtMs(Date.now());
  const install = async () => {
    if (!(await askToInstall())) decline();
  };
  return { way, declinedAtMs, install: () => void install(), decline };
}
