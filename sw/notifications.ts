/**
 * Shows push notifications. Invariant: a message for someone not signed in here reveals nothing,
 * yet something must be shown, because browsers revoke silent subscriptions.
 */
import type { PushMessage } from '#contract/push.ts';
import { formatNaira, nairaToKobo } from '#domain/money.ts';
import { readPushMessage } from '#domain/push.ts';
import {
  attemptReasonWords as reasons,
  pushMessages as words,
} from '#messages/en/push-messages.ts';
import { whoIsSignedIn } from './drain.ts';

declare const self: ServiceWorkerGlobalScope;

/** How long a page may take to confirm that it has navigated. */
const pageAnswerMs = 2_000;

function read(data: PushMessageData | null): PushMessage | null {
  try {
    return readPushMessage(data?.json());
  } catch {
    return null;
  }
}

async function isForWhoIsHere({ to }: PushMessage): Promise<boolean> {
  try {
    return (await whoIsSignedIn()) === to;
  } catch {
    // Unknown, so reveal nothing.
    return false;
  }
}

/** '' for one of a later version. */
function reasonText(reason = ''): string {
  return Object.hasOwn(reasons, reason) ? reasons[reason as keyof typeof reasons] : '';
}

const looks = { icon: '/icons/icon-192.png', badge: '/icons/monochrome-512.png' };

/** One notification per package: a newer one replaces it and alerts again. */
export async function showPush(data: PushMessageData | null): Promise<void> {
  const message = read(data);
  if (!message || !(await isForWhoIsHere(message))) {
    const { title, body } = words.unnamed;
    return self.registration.showNotification(title, { ...looks, body, tag: 'unnamed' });
  }
  const { kind, id, packageId, naira, reason } = message;
  const about = `${packageId} · ${formatNaira(nairaToKobo(naira))}`;
  const isOfCourier = kind === 'newPackage' || kind === 'assigned';
  const options = {
    ...looks,
    tag: id,
    renotify: true,
    data: { id },
    body: words[kind].body(isOfCourier ? about : packageId, reasonText(reason)),
  };
  return self.registration.showNotification(words[kind].title, options);
}

/** Whether a page of this window navigates itself, which keeps unsaved input; false on timeout. */
function isOpenedBy(client: WindowClient, path: string): Promise<boolean> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => resolve(true);
    client.postMessage({ type: 'OPEN', path }, [port2]);
    setTimeout(() => resolve(false), pageAnswerMs);
  });
}

/** Opens the notification's package, reusing a window if there is one. */
export async function openFrom(notification: Notification): Promise<void> {
  notification.close();
  const id: unknown = notification.data?.id;
  const path = typeof id === 'string' ? `/package-detail/${encodeURIComponent(id)}` : '/';
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const client = windows.find(({ focused }) => focused) ?? windows[0];
  if (!client) return void (await self.clients.openWindow(path));
  // Before asking the page: focusing needs the short-lived user activation of the tap.
  await client.focus().catch(() => undefined);
  if (await isOpenedBy(client, path)) return;
  await client.navigate(path).catch(() => self.clients.openWindow(path));
}

/** Open pages report the new subscription to the server, or else the next app start does. */
export async function subscribeAgain({
  oldSubscription,
  newSubscription,
}: PushSubscriptionChangeEvent): Promise<void> {
  const key = oldSubscription?.options.applicationServerKey;
  if (!newSubscription && key) {
    const options = { userVisibleOnly: true, applicationServerKey: key };
    await self.registration.pushManager.subscribe(options).catch(() => undefined);
  }
  for (const client of await self.clients.matchAll({ type: 'window', includeUncontrolled: true })) {
    client.postMessage({ type: 'PUSH_CHANGED' });
  }
}
