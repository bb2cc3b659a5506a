/** What the package screens say: SPEC.md sections 2, 4, 6 and 8. */
import { errorCatalogue, isErrorCode } from '#contract/errors.ts';
import { packages } from '#words/en/packages.ts';
import { inLanguage } from '#words/language.ts';

export const words = inLanguage('packages', packages);

/** The sentence for a refusal of the policy. */
export function refusalSentence(code: string): string {
  return isErrorCode(code) ? errorCatalogue[code].message : errorCatalogue.forbidden.message;
}
