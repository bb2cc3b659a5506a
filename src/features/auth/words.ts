/** What the auth screens say: SPEC.md sections 2 and 8. */
import { auth } from '#words/en/auth.ts';
import { inLanguage } from '#words/language.ts';

export const words = inLanguage('auth', auth);

/** The toasts of signing in and up take each other's place. */
export const authSubject = 'auth';
