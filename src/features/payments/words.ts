import { payments } from '#words/en/payments.ts';
import { inLanguage } from '#words/language.ts';

export const words = inLanguage('payments', payments);
