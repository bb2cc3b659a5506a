import { atom } from 'jotai';
import { forgettable } from './forgettable.ts';

/**
 * Calls that got no answer, by what they are about: the body of each, and the Idempotency-Key under
 * which it is to be made again. Beside the form that asked, which may be closed and reopened in
 * between.
 */
type Calls = Map<string, Map<string, string>>;
export const unansweredCallsAtom = forgettable(atom<Calls>(new Map()), () => new Map());
