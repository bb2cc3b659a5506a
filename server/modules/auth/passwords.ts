/** argon2id with OWASP's parameters (19 MiB, 2 passes). About 20 ms, so never in a transaction. */
import { type Algorithm, hash, hashRaw, verify } from '@node-rs/argon2';

// The package's enum is ambient and const: isolated modules can only use its number.
const argon2id: Algorithm.Argon2id = 2;
const options = { algorithm: argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes the NFC: keyboards write a letter with its mark as one character or as two. */
export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFC'), options);
}

export function isPassword(passwordHash: string, password: string): Promise<boolean> {
  return verify(passwordHash, password.normalize('NFC'));
}

/**
 * Deterministic, and as slow to guess as a password hash: for comparing the passwords of requests
 * without storing them.
 */
export async function passwordDigest(password: string, salt: Uint8Array): Promise<string> {
  return (await hashRaw(password.normalize('NFC'), { ...options, salt })).toString('hex');
}
