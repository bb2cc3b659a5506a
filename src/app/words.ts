import { app } from '#words/en/app.ts';
import { inLanguage } from '#words/language.ts';

export const words = inLanguage('app', app);
