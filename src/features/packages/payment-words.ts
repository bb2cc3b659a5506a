/** What the payment card says: DESIGN.md section 6. */
import { packagePayment } from '#words/en/package-payment.ts';
import { inLanguage } from '#words/language.ts';

export const words = inLanguage('packagePayment', packagePayment);
