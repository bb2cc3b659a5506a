import { atom } from 'jotai';
import type { StorageFault } from '#db/failure.ts';

/** What stands between the app and the phone's storage, for the moments before anybody is signed in. */
export const storageFaultAtom = atom<StorageFault | null>(null);
