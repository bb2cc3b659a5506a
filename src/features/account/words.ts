/** What the account screens say: SPEC.md sections 2, 5 and 8. */
import { account } from '#words/en/account.ts';
import { inLanguage } from '#words/language.ts';

export const words = inLanguage('account', account);

/** What is left undone at a log-out, each kind by its own sentence. */
export function signOutText({
  waiting,
  attention,
}: {
  waiting: number;
  attention: number;
}): string {
  return [
    waiting > 0 ? words.signOut.waitingText(waiting) : '',
    attention > 0 ? words.signOut.attentionText(attention) : '',
  ]
    .filter(Boolean)
    .join(' ');
}
