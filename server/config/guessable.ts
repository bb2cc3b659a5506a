/** Words of examples, placeholders and common passwords, and the rows of a keyboard. */
const words =
  /passw[o0]rd|p[@a]ss(?:w[o0]rd|phrase)?|administrator|admin|change|replace|secret|example|default|sample|placeholder|insert|random|string|token|super|private|please|characters|letmein|welcome|iloveyou|monkey|dragon|your|least|long|jwt|key|256|512|qwertyuiop|qwerty|asdfghjkl|asdf|zxcvbnm|1qaz2wsx|q1w2e3r4|abc|user|root|fill/g;
const separators = /[\s_.,:;!?-]+/g;

/** The character that stays of a run: 'aaaa', 'abcd', '4321'. */
function withoutRuns(text: string): string {
  const stepAt = (at: number) => text.charCodeAt(at) - text.charCodeAt(at - 1);
  const isInRun = (at: number) => Math.abs(stepAt(at)) <= 1 && stepAt(at) === stepAt(at - 1);
  return [...text].filter((_, at) => !isInRun(at) && !isInRun(at + 1)).join('');
}

/**
 * Does a text say that somebody filled it in rather than drew it by chance? Of chance most is left
 * without the words, runs and repetitions; of what people fill in, less than a third.
 */
export function isGuessable(secret: string): boolean {
  const rest = withoutRuns(secret.toLowerCase().replace(words, '').replace(separators, ''));
  const once = rest.replace(/(.{3,}?)(?=.*\1)/gs, '');
  return once.length < Math.min(16, Math.ceil(secret.length / 3));
}
