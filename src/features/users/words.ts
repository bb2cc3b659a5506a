import { users } from '#words/en/users.ts';
import { inLanguage } from '#words/language.ts';

export const words = inLanguage('users', users);
