/** Keeps browser and server in step; stores the choice on the phone once both accepted it. */
import { ApiFailure } from '#api/failure.ts';
import type { PushKind } from '#contract/push.ts';
import type { SignedIn } from '#data/services.ts';
import { keepPushChoice, type PushChoice, readPushChoice } from '#state/push-choice.ts';
import { currentEndpoint, pushAbility, subscribeWith, unsubscribe } from './browser-push.ts';

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
}

function failureOf(error: unknown): Change {
  if (!(error instanceof ApiFailure)) return { kind: 'noService' };
  const { kind, status, message } = error.failure;
  if (kind === 'http') return { kind: 'refused', message };
  return status < 500 ? { kind: 'needsNetwork' } : { kind: 'refused', message: '' };
}

async function agree({ api, userId }: Whose, choice: PushChoice): Promise<Change> {
  try {
    const offer = await api.pushOffer();
    const kinds = choice.kinds.filter((kind) => offer.kinds.includes(kind));
    if (kinds.length === 0) return { kind: 'done' };
    const address = await subscribeWith(offer.publicKey);
    await api.putPush({ ...address, kinds, area: choice.area });
    keepPushChoice(userId, { ...choice, kinds });
    return { kind: 'done' };
  } catch (error) {
    return failureOf(error);
  }
}

/** Call from a tap: browsers prompt for permission only then. */
export async function turnOn(whose: Whose, kinds: readonly PushKind[]): Promise<Change> {
  if ((await Notification.requestPermission()) !== 'granted') return { kind: 'notAllowed' };
  const { area = null } = readPushChoice(whose.userId) ?? {};
  return agree(whose, { kinds: [...kinds], area });
}

export function change(whose: Whose, choice: PushChoice): Promise<Change> {
  return agree(whose, choice);
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
  if (choice && pushAbility() === 'granted') await agree(whose, choice);
}
