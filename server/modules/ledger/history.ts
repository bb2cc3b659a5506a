/** A user's payment history: one line per transfer, newest first. */
import { and, desc, eq, gt, inArray, lt, ne, sql } from 'drizzle-orm';
import type { PaymentEntry, Payments, PaymentsQuery, TransferCause } from '#contract/payment.ts';
import { koboToNaira } from '#domain/money.ts';
import type { Database } from '#server/database/database.ts';
import { entries, type LedgerKind, transfers } from '#server/database/money-schema.ts';
import { payouts } from '#server/database/payout-schema.ts';
import { packages } from '#server/database/schema.ts';
import { sumOf } from '#server/database/sums.ts';
import { displayNumber } from '#server/modules/packages/found-package.ts';
import { walletOf } from './repository.ts';

const movedOn = (account: 'available' | 'held') =>
  sumOf(entries.amountKobo, eq(entries.account, account));

/** Each entry of a user carries the wallet after the whole transfer. */
const walletAfter = (column: typeof entries.availableKobo | typeof entries.heldKobo) =>
  sql<number>`max(${column})`.mapWith(Number);

function linesOf(db: Database, userId: string, { before, limit }: PaymentsQuery) {
  return db
    .select({
      transfer: transfers,
      packageNumber: packages.number,
      bankName: payouts.bankName,
      accountNumberEnd: payouts.accountNumberEnd,
      isSender: sql<boolean>`coalesce(${packages.senderId} = ${userId}, false)`,
      availableMoved: movedOn('available'),
      heldMoved: movedOn('held'),
      available: walletAfter(entries.availableKobo),
      held: walletAfter(entries.heldKobo),
    })
    .from(entries)
    .innerJoin(transfers, eq(transfers.id, entries.transferId))
    .leftJoin(packages, eq(packages.id, transfers.packageId))
    .leftJoin(payouts, eq(payouts.id, transfers.payoutId))
    .where(
      and(
        eq(entries.userId, userId),
        before === undefined ? undefined : lt(transfers.number, Number(before)),
      ),
    )
    .groupBy(transfers.id, packages.id, payouts.id)
    .orderBy(desc(transfers.number))
    .limit(limit + 1);
}

type LineRow = Awaited<ReturnType<typeof linesOf>>[number];

type NoteParts = Pick<LineRow, 'transfer' | 'bankName' | 'accountNumberEnd'>;

function noteOf({ transfer, bankName, accountNumberEnd }: NoteParts): string | null {
  const { kind, reason, reference } = transfer;
  if (bankName !== null) return `${bankName} •••• ${accountNumberEnd}`;
  if (kind === 'adjustment') return reason;
  return kind === 'top_up' ? reference : null;
}

/** Null: as usual. A package's transfer has its cause where an adjustment has its reason. */
function causeOf({ kind, reason }: LineRow['transfer']): TransferCause | null {
  return kind === 'adjustment' ? null : (reason as TransferCause | null);
}

/** Readers see a reversal as a negative payout or refund. */
function shownKind(kind: LedgerKind, isSender: boolean): PaymentEntry['kind'] {
  // Its arrival at the bank moves nothing of the reader's.
  if (kind === 'payout_paid') return 'payout';
  if (kind === 'settlement') return isSender ? 'refund' : 'release';
  return kind === 'reversal' ? 'release' : kind;
}

function entryOf(row: LineRow): PaymentEntry {
  const { transfer, packageNumber, isSender, ...kobo } = row;
  const { id, kind, packageId, createdAt } = transfer;
  return {
    _id: id,
    kind: shownKind(kind, isSender),
    amount: koboToNaira(kobo.availableMoved),
    heldAmount: koboToNaira(kobo.heldMoved),
    balance: koboToNaira(kobo.available),
    heldBalance: koboToNaira(kobo.held),
    package:
      packageId === null || packageNumber === null
        ? null
        : { _id: packageId, packageId: displayNumber(packageNumber) },
    note: noteOf(row),
    cause: causeOf(transfer),
    createdAt: createdAt.toISOString(),
  };
}

async function earnedBy(db: Database, userId: string): Promise<number> {
  const rows = await db
    .select({ earned: movedOn('available') })
    .from(entries)
    .innerJoin(transfers, eq(transfers.id, entries.transferId))
    .leftJoin(packages, eq(packages.id, transfers.packageId))
    .where(
      and(
        eq(entries.userId, userId),
        inArray(transfers.kind, ['release', 'reversal', 'settlement']),
        ne(packages.senderId, userId),
      ),
    );
  return rows[0]?.earned ?? 0;
}

/** Held for this courier's deliveries, in kobo. */
async function onItsWayTo(db: Database, courierId: string): Promise<number> {
  const rows = await db
    .select({ held: sumOf(packages.heldKobo) })
    .from(packages)
    .where(
      and(
        eq(packages.courierId, courierId),
        eq(packages.status, 'delivered'),
        gt(packages.heldKobo, 0),
      ),
    );
  return rows[0]?.held ?? 0;
}

/** GET /api/payments; naira. */
export async function paymentsOf(
  db: Database,
  userId: string,
  query: PaymentsQuery,
): Promise<Payments> {
  const { availableKobo, heldKobo } = await walletOf(db, userId);
  const rows = await linesOf(db, userId, query);
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  return {
    available: koboToNaira(availableKobo),
    held: koboToNaira(heldKobo),
    earned: koboToNaira(await earnedBy(db, userId)),
    onItsWay: koboToNaira(await onItsWayTo(db, userId)),
    entries: page.map(entryOf),
    next: rows.length > query.limit && last ? String(last.transfer.number) : null,
  };
}
