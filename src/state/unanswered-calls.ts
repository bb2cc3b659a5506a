import { atom } from 'jotai';

/** Unanswered calls by user: text and Idempotency-Key. Outlive the form that made them. */
export const unansweredCallsAtom = atom<Map<string, Map<string, string>>>(new Map());
