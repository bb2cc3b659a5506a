/** The server's key pair for push services (RFC 8292), base64url. */
import { createECDH } from 'node:crypto';
import webPush from 'web-push';
import type { Database } from '#server/database/database.ts';
import { getOrCreateSetting } from '#server/modules/auth/repository.ts';

export interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

export interface Vapid extends VapidKeys {
  subject: string;
}

/** Null if it is not a P-256 private key. */
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

/** The given keys, else those stored in the database, else new ones; the first to store wins. */
export async function ensureVapidKeys(
  db: Database,
  given: VapidKeys | undefined,
): Promise<VapidKeys> {
  if (given) return given;
  // Only the private key is stored: two settings could belong to two pairs.
  const fresh = webPush.generateVAPIDKeys().privateKey;
  const privateKey = await getOrCreateSetting(db, 'vapid_private_key', fresh);
  const publicKey = publicKeyOf(privateKey);
  if (publicKey === null) throw new Error('The stored VAPID key is invalid.');
  return { publicKey, privateKey };
}
