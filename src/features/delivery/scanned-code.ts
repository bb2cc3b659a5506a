/** The recipient's QR code, compared without a network. */
import { qrPrefix } from '#contract/event.ts';

/** The token of a scanned text; null: not one of ours. */
export function tokenOf(text: string): string | null {
  const token = text.trim().startsWith(qrPrefix) ? text.trim().slice(qrPrefix.length) : '';
  return /^[\w-]{22}$/.test(token) ? token : null;
}

/** `hash`: SHA-256 of the right token, in base64url. */
export async function isRightToken(token: string, hash: string): Promise<boolean> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
  const base64 = btoa(String.fromCharCode(...new Uint8Array(digest)));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') === hash;
}
