/** This browser's push capability, permission and subscription. Stateless. */
import type { PushSubscriptionBody } from '#contract/push.ts';

/** install: on iOS only the app on the Home Screen can (16.4 and newer). */
export type PushAbility = 'unsupported' | 'install' | 'blocked' | 'askable' | 'granted';

function isAppleTab(): boolean {
  const { standalone } = navigator as Navigator & { standalone?: boolean };
  return standalone === false;
}

export function pushAbility(): PushAbility {
  const isThere =
    'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
  if (!isThere) return isAppleTab() ? 'install' : 'unsupported';
  if (Notification.permission === 'denied') return 'blocked';
  return Notification.permission === 'granted' ? 'granted' : 'askable';
}

/** Null without a registered worker, for which `ready` would never resolve. */
async function pushManager(): Promise<PushManager | null> {
  const registered = await navigator.serviceWorker.getRegistration();
  return registered ? (await navigator.serviceWorker.ready).pushManager : null;
}

function toBase64Url(bytes: ArrayBuffer | null): string {
  const text = String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0)));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Some browsers wait forever for an unreachable push service. */
const timeoutMs = 20_000;

async function withTimeout<Answer>(asking: Promise<Answer>): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The push service timed out.')), timeoutMs);
  });
  return Promise.race([asking, tooLong]).finally(() => clearTimeout(timer));
}

type Address = Pick<PushSubscriptionBody, 'endpoint' | 'keys'>;

/** Returns the browser's subscription for this server key, replacing one for another key. */
export async function subscribeWith(publicKey: string): Promise<Address> {
  const manager = await pushManager();
  if (!manager) throw new Error('No service worker is registered.');
  let found = await manager.getSubscription();
  if (found && toBase64Url(found.options.applicationServerKey) !== publicKey) {
    await found.unsubscribe();
    found = null;
  }
  const asked = { userVisibleOnly: true, applicationServerKey: publicKey };
  const subscription = found ?? (await withTimeout(manager.subscribe(asked)));
  const [p256dh, auth] = [subscription.getKey('p256dh'), subscription.getKey('auth')];
  const keys = { p256dh: toBase64Url(p256dh), auth: toBase64Url(auth) };
  return { endpoint: subscription.endpoint, keys };
}

export async function currentEndpoint(): Promise<string | null> {
  const manager = await pushManager();
  return (await manager?.getSubscription())?.endpoint ?? null;
}

export async function unsubscribe(): Promise<void> {
  const manager = await pushManager();
  await (await manager?.getSubscription())?.unsubscribe();
}
