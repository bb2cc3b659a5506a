import { atom } from 'jotai';

/**
 * Calls that got no answer, by what they are about: the body of each, and the Idempotency-Key under
 * which it is to be made again. Beside the form that asked, which may be closed and reopened in
 * between.
 */
export const unansweredCallsAtom = atom<Map<string, Map<string, string>>>(new Map());
