/**
 * Divides held money once it is due, unless it is disputed: the courier of a delivery gets all of it;
 * of an undisputed return, each side gets its share.
 */
import { and, asc, isNull, lte } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import type { Database } from '#server/database/database.ts';
import { packages } from '#server/database/schema.ts';
import { inTransaction } from '#server/database/transaction.ts';
import { whileListening } from '#server/http/while-listening.ts';
import { errorForLog } from '#server/plugins/request-log.ts';
import { returnDivision } from './event-rules.ts';
import { readPast } from './package-events.ts';
import type { MoneyTerms } from './package-money.ts';
import { settleChange } from './package-payment.ts';
import { lockPackage, updatePackage } from './repository.ts';

const everyMs = 60_000;
const batchSize = 500;

interface Needs {
  db: Database;
  now: () => Date;
  terms: MoneyTerms;
}

async function dueIds(db: Database, now: Date): Promise<string[]> {
  const rows = await db
    .select({ id: packages.id })
    .from(packages)
    .where(and(lte(packages.releaseAt, now), isNull(packages.deletedAt)))
    .orderBy(asc(packages.releaseAt))
    .limit(batchSize);
  return rows.map(({ id }) => id);
}

/** True if this call paid it: another process may have, or a dispute may have been opened. */
function releaseOne({ db, now, terms }: Needs, id: string): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const at = now();
    const row = await lockPackage(tx, id);
    if (!row || row.releaseAt === null || row.releaseAt > at || row.heldKobo === 0) return false;
    const isReturn = row.status === 'cancelled';
    const division = isReturn
      ? returnDivision(row, await readPast(tx, id), terms)
      : { courierPercent: 100 };
    const after = { ...row, wanted: undefined, isVerified: false, isDeleted: false, division };
    const money = await settleChange(tx, { row, after, actorId: null, now: at, terms });
    await updatePackage(tx, id, { ...money, version: row.version + 1, updatedAt: at });
    return true;
  });
}

/** Pays all that are due; returns how many. `onFailure`: one that failed stops no other. */
export async function releaseDue(
  needs: Needs,
  onFailure: (error: Error) => void,
  stop?: AbortSignal,
): Promise<number> {
  let released = 0;
  for (;;) {
    const ids = await dueIds(needs.db, needs.now());
    let paid = 0;
    for (const id of ids) {
      if (stop?.aborted) return released;
      try {
        if (await releaseOne(needs, id)) paid += 1;
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        onFailure(error);
      }
    }
    released += paid;
    if (ids.length < batchSize || paid === 0) return released;
  }
}

export function releaseWhileListening(app: FastifyInstance, needs: Needs): void {
  const complain = (error: Error) =>
    app.log.error({ err: errorForLog(error) }, 'releasing held money failed');
  whileListening(app, everyMs, (stop) => releaseDue(needs, complain, stop), complain);
}
