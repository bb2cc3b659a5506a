/** Keeps browser and server in step; stores the choice on the phone once both accepted it. */
import { ApiFailure } from '#api/failure.ts';
import type { Area } from '#contract/area.ts';
import type { PushKind, PushSubscriptionBody } from '#contract/push.ts';
import type { SignedIn } from '#data/services.ts';
import { keepPushChoice, type PushChoice, readPushChoice } from '#state/push-choice.ts';

/** install: on iOS only the app on the Home Screen can (16.4 and newer). */
type PushAbility = 'unsupported' | 'install' | 'blocked' | 'askable' | 'granted';

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
async function subscribeWith(publicKey: string): Promise<Address> {
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

async function unsubscribe(): Promise<void> {
  const manager = await pushManager();
  await (await manager?.getSubscription())?.unsubscribe();
}

export type Change =
  | { kind: 'done' }
  /** Permission denied or the prompt dismissed. */
  | { kind: 'notAllowed' }
  | { kind: 'needsNetwork' }
  /** The browser's push service is unreachable or refuses. */
  | { kind: 'noService' }
  | { kind: 'refused'; message: string };

interface Whose {
  api: SignedIn['api'];
  userId: string;
  /** Null: everywhere. */
  readArea(): Promise<Area | null>;
}

function failureOf(error: unknown): Change {
  if (!(error instanceof ApiFailure)) return { kind: 'noService' };
  const { kind, status, message } = error.failure;
  if (kind === 'http') return { kind: 'refused', message };
  return status < 500 ? { kind: 'needsNetwork' } : { kind: 'refused', message: '' };
}

/** Subscribes to the chosen kinds that the server offers. */
export async function subscribe(
  { api, userId, readArea }: Whose,
  choice: PushChoice,
): Promise<Change> {
  try {
    const offer = await api.pushOffer();
    const kinds = choice.kinds.filter((kind) => offer.kinds.includes(kind));
    if (kinds.length === 0) return { kind: 'done' };
    const address = await subscribeWith(offer.publicKey);
    await api.putPush({ ...address, kinds, area: await readArea() });
    keepPushChoice(userId, { ...choice, kinds });
    return { kind: 'done' };
  } catch (error) {
    return failureOf(error);
  }
}

/** Call from a tap: browsers prompt for permission only then. */
export async function turnOn(whose: Whose, kinds: readonly PushKind[]): Promise<Change> {
  if ((await Notification.requestPermission()) !== 'granted') return { kind: 'notAllowed' };
  return subscribe(whose, { kinds: [...kinds] });
}

/** Off whatever the server answers: ending the browser's subscription is enough. */
export async function turnOff({ api, userId }: Whose): Promise<Change> {
  try {
    const endpoint = await currentEndpoint();
    await unsubscribe();
    keepPushChoice(userId, null);
    // If this fails, the push service reports it to the server at the next notification.
    if (endpoint !== null) await api.deletePush({ endpoint }).catch(() => undefined);
    return { kind: 'done' };
  } catch (error) {
    return failureOf(error);
  }
}

/**
 * The browser may have lost the subscription, or the keys or the session may be new. Failures are
 * silent; the next start retries.
 */
export async function keepSubscribed(whose: Whose): Promise<void> {
  const choice = readPushChoice(whose.userId);
  if (choice && pushAbility() === 'granted') await subscribe(whose, choice);
}
