/**
 * Turning notifications on, off and to something else: the browser and the server in step, and what
 * was chosen kept on the phone once both have agreed.
 */
import { ApiFailure } from '#api/failure.ts';
import type { PushKind } from '#contract/push.ts';
import type { SignedIn } from '#live/services.ts';
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
  const { kind, message } = error.failure;
  return kind === 'http' ? { kind: 'refused', message } : { kind: 'needsNetwork' };
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

/** Another choice for a phone that is told already. */
export function change(whose: Whose, choice: PushChoice): Promise<Change> {
  return agree(whose, choice);
}

/** Off is what the person wants whatever the server answers: the browser's own end is final. */
export async function turnOff({ api, userId }: Whose): Promise<Change> {
  try {
    const endpoint = await currentEndpoint();
    await unsubscribe();
    keepPushChoice(userId, null);
    // A server that does not hear of it is told by the browser's service at the next piece of news.
    if (endpoint !== null) await api.deletePush({ endpoint }).catch(() => undefined);
    return { kind: 'done' };
  } catch (error) {
    return failureOf(error);
  }
}

/**
 * Once the app is open: what was chosen here holds still, though the browser has lost its
 * subscription, the server's keys are others, or the session is a new one. Quiet: what fails is
 * tried again at the next start.
 */
export async function keepSubscribed(whose: Whose): Promise<void> {
  const choice = readPushChoice(whose.userId);
  if (choice && pushAbility() === 'granted') await agree(whose, choice);
}
