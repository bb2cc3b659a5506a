import { useCallback, useRef } from 'react';
import type { Operation } from '#domain/operation.ts';
import { useSignedIn } from '#live/services.ts';
import { useRefresh } from '#live/use-refresh.ts';
import { showError, showInfo } from '#ui/toast.tsx';
import { words } from './words.ts';

const isWaiting = ({ state }: Operation) => state === 'waiting';

/** Has everything that waits tried at once, and says so where that did not help. */
export function useSendNow(): { isBusy: boolean; sendNow(): void } {
  const { packages } = useSignedIn();
  const asked = useRef<ReadonlySet<string>>(new Set());
  const waiting = useCallback(
    () => (packages.state().operations ?? []).filter(isWaiting).map(({ id }) => id),
    [packages],
  );
  const { isBusy, refresh } = useRefresh((isAnswered) => {
    if (!isAnswered) return showError(words.noAnswer);
    void packages.settled().then(() => {
      if (waiting().some((id) => asked.current.has(id))) showInfo(words.stillWaiting);
    });
  });
  return {
    isBusy,
    sendNow: () => {
      asked.current = new Set(waiting());
      refresh();
    },
  };
}
