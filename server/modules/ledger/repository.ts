/** Rows of wallets, transfers and entries. Only ledger/service writes them. */
import { randomUUID } from 'node:crypto';
import { and, desc, eq, inArray } from 'drizzle-orm';
import type { Database } from '#server/database/database.ts';
import { entries, type LedgerAccount, transfers, wallets } from '#server/database/money-schema.ts';
import { users } from '#server/database/schema.ts';

export interface Wallet {
  availableKobo: number;
  heldKobo: number;
}

const byUser = (rows: readonly (typeof wallets.$inferSelect)[]): Map<string, Wallet> =>
  new Map(rows.map(({ userId, availableKobo, heldKobo }) => [userId, { availableKobo, heldKobo }]));

const emptyWallet: Wallet = { availableKobo: 0, heldKobo: 0 };

/** Wallets by user id; a user who never had money has none. */
export async function findWallets(
  db: Database,
  userIds: readonly string[],
): Promise<Map<string, Wallet>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .select()
    .from(wallets)
    .where(inArray(wallets.userId, [...userIds]));
  return byUser(rows);
}

/** The wallet of one user; zeros if there is none. */
export async function walletOf(db: Database, userId: string): Promise<Wallet> {
  return (await findWallets(db, [userId])).get(userId) ?? emptyWallet;
}

const inOrder = (ids: readonly string[]) => [...new Set(ids)].sort();

/**
 * These users' wallets, created if missing and locked. Users are locked first, as foreign keys
 * would lock them later: one order for all, so no deadlock.
 */
export async function lockWallets(
  tx: Database,
  userIds: readonly string[],
  actorId: string | null = null,
): Promise<Map<string, Wallet>> {
  const owners = inOrder(userIds);
  const people = inOrder(actorId === null ? owners : [...owners, actorId]);
  await tx
    .select({ id: users.id })
    .from(users)
    .where(inArray(users.id, people))
    .orderBy(users.id)
    .for('key share');
  const lock = () =>
    tx
      .select()
      .from(wallets)
      .where(inArray(wallets.userId, owners))
      .orderBy(wallets.userId)
      .for('update');
  let rows = await lock();
  if (rows.length < owners.length) {
    await tx
      .insert(wallets)
      .values(owners.map((userId) => ({ userId })))
      .onConflictDoNothing();
    rows = await lock();
  }
  return byUser(rows);
}

/** The caller holds the wallet's lock. */
export async function updateWallet(tx: Database, userId: string, wallet: Wallet): Promise<void> {
  await tx.update(wallets).set(wallet).where(eq(wallets.userId, userId));
}

export type NewTransfer = Omit<typeof transfers.$inferInsert, 'id'>;

export interface NewEntry {
  account: LedgerAccount;
  userId: string | null;
  amountKobo: number;
  after: Wallet | null;
}

/** Inserts a transfer and its entries; they must sum to zero. */
export async function insertTransfer(
  tx: Database,
  transfer: NewTransfer,
  lines: readonly NewEntry[],
): Promise<void> {
  const id = randomUUID();
  await tx.insert(transfers).values({ ...transfer, id });
  await tx.insert(entries).values(
    lines.map(({ account, userId, amountKobo, after }) => ({
      transferId: id,
      account,
      userId,
      amountKobo,
      availableKobo: after?.availableKobo ?? null,
      heldKobo: after?.heldKobo ?? null,
    })),
  );
}

export interface PaidOut {
  courierId: string;
  amountKobo: number;
  payout: number;
}

/**
 * The payout of the package's last hold, unless it was reversed, and the number of the next: each
 * hold has one.
 */
export async function payoutsOf(
  tx: Database,
  packageId: string,
): Promise<{ current: PaidOut | null; next: number }> {
  const movements = await tx
    .select({
      kind: transfers.kind,
      payout: transfers.payout,
      courierId: entries.userId,
      amountKobo: entries.amountKobo,
    })
    .from(transfers)
    .innerJoin(entries, eq(entries.transferId, transfers.id))
    .where(
      and(
        eq(transfers.packageId, packageId),
        inArray(transfers.kind, ['hold', 'release', 'reversal']),
        eq(entries.account, 'available'),
      ),
    )
    .orderBy(desc(transfers.number));
  const last = movements.find(({ kind }) => kind !== 'hold');
  if (!last) return { current: null, next: 1 };
  const { kind, payout, courierId, amountKobo } = last;
  const isHeldAgain = kind === 'reversal' || movements[0] !== last;
  if (isHeldAgain || courierId === null) return { current: null, next: payout + 1 };
  // A second release under the same number is refused by the database.
  return { current: { courierId, amountKobo, payout }, next: payout };
}
