/**
 * Notifications. Invariant: who is not signed in on this phone learns nothing of what was meant for
 * somebody else, though something must be shown: browsers end the subscriptions of apps that are silent.
 */
import type { PushMessage } from '#contract/push.ts';
import { formatNaira, nairaToKobo } from '#domain/money.ts';
import { readPushMessage } from '#domain/push.ts';
import { pushMessages as words } from '#messages/en/push-messages.ts';
import { whoIsSignedIn } from './drain.ts';

declare const self: ServiceWorkerGlobalScope;

/** How long a page may take to say that it has opened the address itself. */
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
    // The phone's storage does not say: then nothing is said either.
    return false;
  }
}

const looks = { icon: '/icons/icon-192.png', badge: '/icons/monochrome-512.png' };

/** One notification for each package: what comes later takes its place, and is heard again. */
export async function showPush(data: PushMessageData | null): Promise<void> {
  const message = read(data);
  if (!message || !(await isForWhoIsHere(message))) {
    const { title, body } = words.unnamed;
    return self.registration.showNotification(title, { ...looks, body, tag: 'unnamed' });
  }
  const { kind, id, packageId, naira } = message;
  const about = `${packageId} · ${formatNaira(nairaToKobo(naira))}`;
  const isOfSender = kind === 'accepted' || kind === 'delivered' || kind === 'rejected';
  const options = {
    ...looks,
    tag: id,
    renotify: true,
    data: { id },
    body: words[kind].body(isOfSender ? packageId : about),
  };
  return self.registration.showNotification(words[kind].title, options);
}

/** True: a page of this window goes there by itself, keeping what is typed; false: it did not say. */
function isOpenedBy(client: WindowClient, path: string): Promise<boolean> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => resolve(true);
    client.postMessage({ type: 'OPEN', path }, [port2]);
    setTimeout(() => resolve(false), pageAnswerMs);
  });
}

/** Opens the package that a notification is about, in a window that is there or in a new one. */
export async function openFrom(notification: Notification): Promise<void> {
  notification.close();
  const id: unknown = notification.data?.id;
  const path = typeof id === 'string' ? `/package-detail/${encodeURIComponent(id)}` : '/';
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const client = windows.find(({ focused }) => focused) ?? windows[0];
  if (!client) return void (await self.clients.openWindow(path));
  // Not after the question: who has tapped may bring a window to the front for a moment only.
  await client.focus().catch(() => undefined);
  if (await isOpenedBy(client, path)) return;
  await client.navigate(path).catch(() => self.clients.openWindow(path));
}

/** Pages tell the server, now or, where none is open, when the app is next opened. */
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
