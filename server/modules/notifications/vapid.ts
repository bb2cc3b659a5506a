/** The pair of keys by which push services know this server (RFC 8292). Base64url, as browsers take it. */
import { createECDH } from 'node:crypto';
import webPush from 'web-push';
import type { Database } from '#server/database/database.ts';
import { settingOr } from '#server/modules/auth/repository.ts';

export interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

export interface Vapid extends VapidKeys {
  /** Whom a push service turns to. */
  subject: string;
}

/** Null for what is no private key of P-256. */
function publicKeyOf(privateKey: string): string | null {
  const pair = createECDH('prime256v1');
  try {
    pair.setPrivateKey(Buffer.from(privateKey, 'base64url'));
    return pair.getPublicKey('base64url');
  } catch {
    return null;
  }
}

export function isKeyPair({ publicKey, privateKey }: VapidKeys): boolean {
  return publicKeyOf(privateKey) === publicKey;
}

/** The given keys, else those kept in the database, else new ones that are kept; the first maker wins. */
export async function ensureVapidKeys(
  db: Database,
  given: VapidKeys | undefined,
): Promise<VapidKeys> {
  if (given) return given;
  // The private key alone is kept: two settings could be of two pairs.
  const fresh = webPush.generateVAPIDKeys().privateKey;
  const privateKey = await settingOr(db, 'vapid_private_key', fresh);
  const publicKey = publicKeyOf(privateKey);
  if (publicKey === null) throw new Error('The kept VAPID key is damaged.');
  return { publicKey, privateKey };
}
