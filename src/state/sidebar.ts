/** The slide-in sidebar: open or closed (SPEC.md section 4). */
import { atom } from 'jotai';

export const isSidebarOpenAtom = atom(false);
