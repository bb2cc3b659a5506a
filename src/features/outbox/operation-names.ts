import { operations } from '#words/en/operations.ts';
import { inLanguage } from '#words/language.ts';

/** What is said of each kind of operation. */
export const operationWords = inLanguage('operations', operations);
export const { names } = operationWords;
