import { localWords } from '#state/local-words.ts';

/** A word in local storage that says 'there may be a session': without it no database is opened. */
const heldKey = 'sessionHeld';

export const maySessionBeHeld = (): boolean => localWords.getItem(heldKey) !== null;

export function noteSession(isHeld: boolean): void {
  if (isHeld) localWords.setItem(heldKey, 'true');
  else localWords.removeItem(heldKey);
}
