/** What the home screen and the sidebar say: SPEC.md section 2. */
import { home } from '#words/en/home.ts';
import { inLanguage } from '#words/language.ts';

export const words = inLanguage('home', home);
