/**
 * Codes and tokens of a handover: made by chance, compared in constant time, locked after five wrong
 * ones of the courier who has the package, or ten of all who had it.
 */
import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { withCheckDigit } from '#domain/codes.ts';
import type { StoredPackage } from '#domain/package.ts';
import { maxWrongCodes, type ProofCheck } from '#domain/proof.ts';
import type { PackageRow } from '#server/database/schema.ts';
import { type Timing, waitedMs } from './event-timing.ts';

const newCode = () => withCheckDigit(String(randomInt(100_000)).padStart(5, '0'));

export const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url');

type Codes = Pick<
  PackageRow,
  'dropoffCode' | 'dropoffToken' | 'dropoffTokenHash' | 'dropoffTries' | 'returnCode' | 'wrongCodes'
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
          wrongCodes: 0,
          dropoffToken,
          dropoffTokenHash: hashOf(dropoffToken),
        }
      : {}),
  };
}

/** With a change that ends the code a row has: kept as long as a phone's time can be trusted. */
export function endedCode(
  { dropoffCode, dropoffToken, formerCodes }: PackageRow,
  now: Date,
): Partial<Pick<PackageRow, 'formerCodes'>> {
  if (dropoffCode === null || dropoffToken === null) return {};
  const since = new Date(now.getTime() - waitedMs).toISOString();
  const recent = formerCodes.filter(({ until }) => until > since);
  return { formerCodes: [...recent, { dropoffCode, dropoffToken, until: now.toISOString() }] };
}

type Tries = Pick<PackageRow, 'progress' | 'dropoffTries' | 'returnTries' | 'wrongCodes'>;

/** The column that counts the wrong codes of the delivery or return at hand. */
export const triesOf = ({ progress }: Pick<Tries, 'progress'>) =>
  progress === 'returning' ? 'returnTries' : 'dropoffTries';

/** Two couriers' worth: who gives a package back and accepts it again begins at none. */
export const maxWrongInAll = 2 * maxWrongCodes;

/** Wrong codes that may still be given; at 0 it is locked. */
export const triesLeftOf = (row: Tries): number =>
  Math.max(0, Math.min(maxWrongCodes - row[triesOf(row)], maxWrongInAll - row.wrongCodes));

export const isLocked = (row: Tries): boolean => triesLeftOf(row) === 0;

/** Equal lengths are no secret: all codes have six digits, all tokens 22 characters. */
function isSame(given: string, kept: string | null): boolean {
  if (kept === null || given.length !== kept.length) return false;
  return timingSafeEqual(Buffer.from(given), Buffer.from(kept));
}

/**
 * `stored`: the pictures of the package that have arrived. Right is also the code that the recipient had
 * when it certainly happened: its sender may have replaced it before the phone could say so.
 */
export function checkOf(
  row: PackageRow,
  stored: ReadonlySet<string>,
  { effectiveAt, timeTrust }: Timing,
): ProofCheck {
  const at = effectiveAt.toISOString();
  const before = timeTrust === 'high' && row.formerCodes.find(({ until }) => at < until);
  const secrets = before ? [row, { ...before, returnCode: null }] : [row];
  return {
    isLocked: isLocked(row),
    isRight: (what, given) => secrets.some((one) => isSame(given, one[what])),
    isStored: (id) => stored.has(id),
  };
}
