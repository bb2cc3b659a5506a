import { atom } from 'jotai';
import type { UserView } from '#domain/overlay.ts';

/**
 * The signed-in user under their own pending edits, kept up beside the screens. Undefined until it
 * has been read, null where the first pull has not brought them.
 */
export const ownUserAtom = atom<UserView | null | undefined>(undefined);
