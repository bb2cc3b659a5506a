/** Notifications as the rest of the app sees them: nothing of them is loaded before it is of use. */

import { later, untilHere } from '#app/routes/deferred.tsx';
import { type SignedIn, useSignedIn } from '#data/services.ts';
import { isPushDismissed, readPushChoice } from '#state/push-choice.ts';

const Invitation = later(
  async () => (await import('#features/notifications/components/invitation.tsx')).Invitation,
);

const canAsk = () => 'PushManager' in window && Notification.permission !== 'denied';

/** The card that offers notifications; nothing to whom has them, or has put it away. */
export function PushInvitation() {
  const { id } = useSignedIn().userInfo;
  if (!canAsk() || isPushDismissed(id) || readPushChoice(id)) return null;
  return <Invitation />;
}

interface Needs {
  api: SignedIn['api'];
  userId: string;
  /** Goes to an address within the page. */
  open(path: string): void;
}

/** Keeps the phone subscribed and opens what a notification is about; returns what ends that. */
export function startNotifications({ api, userId, open }: Needs): () => void {
  if (!('serviceWorker' in navigator)) return () => undefined;
  const check = async () => {
    if (readPushChoice(userId) === null) return;
    const { keepSubscribed } = await untilHere(
      () => import('#features/notifications/subscriber.ts'),
    );
    await keepSubscribed({ api, userId });
  };
  const hear = ({ data, ports }: MessageEvent) => {
    if (data?.type === 'PUSH_CHANGED') void check();
    if (data?.type !== 'OPEN' || typeof data.path !== 'string') return;
    ports[0]?.postMessage('opened');
    open(data.path);
  };
  navigator.serviceWorker.addEventListener('message', hear);
  void check();
  return () => navigator.serviceWorker.removeEventListener('message', hear);
}
