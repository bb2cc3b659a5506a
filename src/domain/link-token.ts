import * as v from 'valibot';
import { accountTokenSchema } from '#contract/auth.ts';

/**
 * The token in the fragment of a mailed link ('#token=…'); null if there is none, or a mail program
 * has cut it off.
 */
export function readLinkToken(fragment: string): string | null {
  const token = /^#token=([^&]*)/.exec(fragment)?.[1];
  return v.is(accountTokenSchema, token) ? token : null;
}
