import { atom } from 'jotai';
import type { UserView } from '#domain/overlay.ts';

/** With pending edits. Undefined until read, null before the first pull. */
export const ownUserAtom = atom<UserView | null | undefined>(undefined);
