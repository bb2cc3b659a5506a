/** Notification settings on this device. They outlive the session, for the next sign-in. */
import { type PushKind, pushKinds } from '#contract/push.ts';
import { safeLocalStorage, storedFlag } from './safe-storage.ts';

export interface PushChoice {
  /** At least one. */
  kinds: PushKind[];
}

const choiceKey = (userId: string) => `push ${userId}`;

function readKinds(kinds: unknown): PushKind[] {
  return Array.isArray(kinds) ? pushKinds.filter((kind) => kinds.includes(kind)) : [];
}

/** Null: nothing chosen, or unreadable. */
export function readPushChoice(userId: string): PushChoice | null {
  try {
    const kept = JSON.parse(safeLocalStorage.getItem(choiceKey(userId)) ?? 'null');
    const kinds = readKinds(kept?.kinds);
    return kinds.length > 0 ? { kinds } : null;
  } catch {
    return null;
  }
}

export function keepPushChoice(userId: string, choice: PushChoice | null): void {
  if (choice) safeLocalStorage.setItem(choiceKey(userId), JSON.stringify(choice));
  else safeLocalStorage.removeItem(choiceKey(userId));
}

/** Whether this user dismissed the card that offers notifications. */
export const pushDismissal = (userId: string) => storedFlag(`pushNotNow ${userId}`);
