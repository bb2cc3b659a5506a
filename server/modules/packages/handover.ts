/**
 * Codes and tokens of a handover: made by chance, compared in constant time, locked after five wrong
 * ones of the courier who has the package.
 */
import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { withCheckDigit } from '#domain/codes.ts';
import type { StoredPackage } from '#domain/package.ts';
import { maxWrongCodes, type ProofCheck } from '#domain/proof.ts';
import type { PackageRow } from './repository.ts';

const newCode = () => withCheckDigit(String(randomInt(100_000)).padStart(5, '0'));

export const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url');

type Codes = Pick<
  PackageRow,
  'dropoffCode' | 'dropoffToken' | 'dropoffTokenHash' | 'dropoffTries' | 'returnCode'
>;

/** The codes that a package of this handover lacks. */
export function missingCodes({
  handover,
  dropoffCode,
  returnCode,
}: Pick<StoredPackage, 'handover' | 'dropoffCode' | 'returnCode'>): Partial<Codes> {
  const dropoffToken = randomBytes(16).toString('base64url');
  return {
    ...(returnCode === null ? { returnCode: newCode() } : {}),
    ...(handover === 'code' && dropoffCode === null
      ? {
          dropoffCode: newCode(),
          dropoffTries: 0,
          dropoffToken,
          dropoffTokenHash: hashOf(dropoffToken),
        }
      : {}),
  };
}

type Tries = Pick<PackageRow, 'progress' | 'dropoffTries' | 'returnTries'>;

/** The column that counts the wrong codes of the delivery or return at hand. */
export const triesOf = ({ progress }: Pick<Tries, 'progress'>) =>
  progress === 'returning' ? 'returnTries' : 'dropoffTries';

export const isLocked = (row: Tries): boolean => row[triesOf(row)] >= maxWrongCodes;

/** Equal lengths are no secret: all codes have six digits, all tokens 22 characters. */
function isSame(given: string, kept: string | null): boolean {
  if (kept === null || given.length !== kept.length) return false;
  return timingSafeEqual(Buffer.from(given), Buffer.from(kept));
}

export const checkOf = (row: PackageRow): ProofCheck => ({
  isLocked: isLocked(row),
  isRight: (what, given) => isSame(given, row[what]),
});
