import { dispatch } from '#words/en/dispatch.ts';
import { inLanguage } from '#words/language.ts';

export const words = inLanguage('dispatch', dispatch);
