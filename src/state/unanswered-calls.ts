import { atom } from 'jotai';

/**
 * Calls that got no answer, by the user whom they are about: the text of each, and the
 * Idempotency-Key under which it is to be asked again. Beside the form that asked, which may be
 * closed and opened anew in between.
 */
export const unansweredCallsAtom = atom<Map<string, Map<string, string>>>(new Map());
