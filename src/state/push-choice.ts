/**
 * What somebody chose to be notified of on this phone. It outlives the session, so that the next one
 * of the same person is told again; it says nothing but which switches were on.
 */
import { type PushArea, type PushKind, pushKinds } from '#contract/push.ts';
import { safeLocalStorage, storedFlag } from './safe-storage.ts';

export interface PushChoice {
  /** At least one. */
  kinds: PushKind[];
  /** Null: everywhere. */
  area: PushArea | null;
}

const choiceKey = (userId: string) => `push ${userId}`;

function readKinds(kinds: unknown): PushKind[] {
  return Array.isArray(kinds) ? pushKinds.filter((kind) => kinds.includes(kind)) : [];
}

/** Null: nothing was chosen, or what was kept cannot be read. */
export function readPushChoice(userId: string): PushChoice | null {
  try {
    const kept = JSON.parse(safeLocalStorage.getItem(choiceKey(userId)) ?? 'null');
    const kinds = readKinds(kept?.kinds);
    return kinds.length > 0 ? { kinds, area: kept.area ?? null } : null;
  } catch {
    return null;
  }
}

export function keepPushChoice(userId: string, choice: PushChoice | null): void {
  if (choice) safeLocalStorage.setItem(choiceKey(userId), JSON.stringify(choice));
  else safeLocalStorage.removeItem(choiceKey(userId));
}

/** Whether the card that offers notifications was put away, by this user on this phone. */
export const pushDismissal = (userId: string) => storedFlag(`pushNotNow ${userId}`);
