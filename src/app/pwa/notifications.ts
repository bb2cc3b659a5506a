/** Push notifications of a signed-in user, loaded only when needed. */

import type { SignedIn } from '#data/services.ts';
import { watchChanges } from '#db/changes.ts';
import { readWorkingArea } from '#db/working-area.ts';
import { readPushChoice } from '#state/push-choice.ts';
import { importWithRetry } from '#ui/lazy-part.tsx';

interface Needs {
  api: SignedIn['api'];
  db: SignedIn['db'];
  userId: string;
  open(path: string): void;
}

/** Keeps the subscription current, opens clicked notifications; returns a stop function. */
export function startNotifications({ api, db, userId, open }: Needs): () => void {
  if (!('serviceWorker' in navigator)) return () => undefined;
  const check = async () => {
    if (readPushChoice(userId) === null) return;
    const { keepSubscribed } = await importWithRetry(
      () => import('#features/notifications/subscriber.ts'),
    );
    await keepSubscribed({ api, userId, readArea: () => readWorkingArea(db) });
  };
  const hear = ({ data, ports }: MessageEvent) => {
    if (data?.type === 'PUSH_CHANGED') void check();
    if (data?.type !== 'OPEN' || typeof data.path !== 'string') return;
    ports[0]?.postMessage('opened');
    open(data.path);
  };
  navigator.serviceWorker.addEventListener('message', hear);
  const stopWatching = watchChanges(db, ['meta'], (changes) => {
    const keys = changes.get('meta');
    if (keys && keys !== 'all' && keys.has('workingArea')) void check();
  });
  void check();
  return () => {
    stopWatching();
    navigator.serviceWorker.removeEventListener('message', hear);
  };
}
