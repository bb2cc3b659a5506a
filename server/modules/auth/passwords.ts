/** Passwords: argon2id with OWASP's parameters (19 MiB, 2 passes). About 20 ms: never in a transaction. */
import { type Algorithm, hash, hashRaw, verify } from '@node-rs/argon2';

// The package's enum is ambient and const; with isolated modules only its number can be named.
const argon2id: Algorithm.Argon2id = 2;
const options = { algorithm: argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export function hashPassword(password: string): Promise<string> {
  return hash(password, options);
}

export function isPassword(passwordHash: string, password: string): Promise<boolean> {
  return verify(passwordHash, password);
}

/**
 * The same password and salt give the same text; as slow to search as a password hash. For what
 * must be compared later and may not be kept, such as a password in a stored request.
 */
export async function passwordDigest(password: string, salt: Uint8Array): Promise<string> {
  return (await hashRaw(password, { ...options, salt })).toString('hex');
}
