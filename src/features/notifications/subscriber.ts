/**
 * Turning notifications on, off and to something else: the browser and the server in step, and what
 * was chosen kept on the phone once both have agreed.
 */
import { ApiFailure } from '#api/failure.ts';
import type { PushKind } from '#contract/push.ts';
import type { SignedIn } from '#data/services.ts';
import { keepPushChoice, type PushChoice, readPushChoice } from '#state/push-choice.ts';
import { currentEndpoint, pushAbility, subscribeWith, unsubscribe } from './browser-push.ts';

export type Change =
  | { kind: 'done' }
  /** The person has said no, or has said nothing. */
  | { kind: 'notAllowed' }
  | { kind: 'needsNetwork' }
  /** The browser's own service cannot be reached, or will not have it. */
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

/** From a tap: the browser asks for its permission in answer to nothing else. */
export async function turnOn(whose: Whose, kinds: readonly PushKind[]): Promise<Change> {
  if ((await Notification.requestPermission()) !== 'granted') return { kind: 'notAllowed' };
  const { area = null } = readPushChoice(whose.userId) ?? {};
  return agree(whose, { kinds: [...kinds], area });
}

/** Another choice for a phone that is subscribed already. */
export function change(whose: Whose, choice: PushChoice): Promise<Change> {
  return agree(whose, choice);
}

/** Off whatever the server answers: ending the browser's subscription is enough. */
export async function turnOff({ api, userId }: Whose): Promise<Change> {
  try {
    const endpoint = await currentEndpoint();
    await unsubscribe();
    keepPushChoice(userId, null);
    // If this fails, the push service tells the server at the next notification.
    if (endpoint !== null) await api.deletePush({ endpoint }).catch(() => undefined);
    return { kind: 'done' };
  } catch (error) {
    return failureOf(error);
  }
}

/**
 * Renews what was chosen, once the app is open: the browser may have lost its subscription, the
 * server may have new keys, or the session may be new. A failure is silent and retried at the next
 * start.
 */
export async function keepSubscribed(whose: Whose): Promise<void> {
  const choice = readPushChoice(whose.userId);
  if (choice && pushAbility() === 'granted') await agree(whose, choice);
}
