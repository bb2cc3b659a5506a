import * as v from 'valibot';
import { tokenPayloadSchema, type UserInfo } from '#contract/auth.ts';
import { nobody } from './user.ts';

export class InvalidTokenError extends Error {
  override name = 'InvalidTokenError';
}

const base64Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** base64url → UTF-8 text, without atob or Buffer. */
function decodeBase64Url(text: string): string {
  const clean = text.replace(/-/g, '+').replace(/_/g, '/').replace(/=+$/, '');
  let bits = 0;
  let held = 0;
  let percent = '';
  for (const character of clean) {
    const value = base64Alphabet.indexOf(character);
    if (value < 0) throw new InvalidTokenError('The token is not base64.');
    held = ((held << 6) | value) & 0xffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      percent += `%${((held >> bits) & 0xff).toString(16).padStart(2, '0')}`;
    }
  }
  return decodeURIComponent(percent);
}

/**
 * The `userInfo` of an access token, unverified. Throws InvalidTokenError if it is not a string,
 * has no payload part, or holds invalid base64 or JSON.
 */
export function readUserInfo(token: unknown): UserInfo {
  if (token === null || token === undefined || token === '') return nobody;
  if (typeof token !== 'string') throw new InvalidTokenError('The token is not a string.');
  const payload = token.split('.')[1];
  if (!payload) throw new InvalidTokenError('The token has no payload part.');
  try {
    return v.parse(tokenPayloadSchema, JSON.parse(decodeBase64Url(payload))).userInfo;
  } catch (cause) {
    throw new InvalidTokenError('The token cannot be read.', { cause });
  }
}
