import { install } from '#words/en/install.ts';
import { inLanguage } from '#words/language.ts';

export const words = inLanguage('install', install);
