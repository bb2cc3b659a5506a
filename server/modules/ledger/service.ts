/**
 * The only place where money moves. Invariants, enforced here and by the database: a transfer's
 * entries sum to zero; a wallet is the sum of its entries and never negative. Every operation runs
 * in the caller's transaction and locks wallets in the order of user ids.
 *
 *   provider ──top_up──▶ available ──hold──▶ held ──release──▶ available of the courier
 *   adjustments ◀─adjustment─▶ ▲ ◀──refund──┘
 */
import type { TransferKind } from '#contract/payment.ts';
import type { Database } from '#server/database/database.ts';
import type { LedgerAccount } from '#server/database/money-schema.ts';
import { Refusal } from '#server/http/refusal.ts';
import { insertTransfer, lockWallets, updateWallet, type Wallet } from './repository.ts';

interface Line {
  account: LedgerAccount;
  userId: string | null;
  amountKobo: number;
}

interface Movement {
  kind: TransferKind;
  lines: readonly Line[];
  /** Null for the provider. */
  actorId: string | null;
  packageId?: string;
  reference?: string;
  reason?: string;
  now: Date;
}

function after(wallet: Wallet, { account, amountKobo }: Line): Wallet {
  return account === 'held'
    ? { ...wallet, heldKobo: wallet.heldKobo + amountKobo }
    : { ...wallet, availableKobo: wallet.availableKobo + amountKobo };
}

function requireKobo(amountKobo: number): void {
  if (!Number.isSafeInteger(amountKobo) || amountKobo <= 0) {
    throw new RangeError(`Not an amount of kobo to move: ${amountKobo}`);
  }
}

/** Refuses with `insufficient_funds` and the missing amount. */
function requireCover(wallet: Wallet): void {
  if (wallet.availableKobo < 0) {
    throw new Refusal('insufficient_funds', { missingKobo: -wallet.availableKobo });
  }
  if (wallet.heldKobo < 0) throw new Error('A hold cannot go negative.');
}

async function move(tx: Database, { lines, ...movement }: Movement): Promise<void> {
  const owners = lines.flatMap(({ userId }) => (userId === null ? [] : [userId]));
  const wallets = await lockWallets(tx, owners, movement.actorId);
  for (const line of lines) {
    const wallet = line.userId === null ? undefined : wallets.get(line.userId);
    if (line.userId !== null && !wallet) throw new Error('The user of this wallet does not exist.');
    if (line.userId !== null && wallet) wallets.set(line.userId, after(wallet, line));
  }
  for (const wallet of wallets.values()) requireCover(wallet);
  for (const [userId, wallet] of wallets) await updateWallet(tx, userId, wallet);
  const { now, ...transfer } = movement;
  await insertTransfer(
    tx,
    { ...transfer, createdAt: now },
    lines.map((line) => ({
      ...line,
      after: line.userId === null ? null : (wallets.get(line.userId) ?? null),
    })),
  );
}

interface TopUp {
  reference: string;
  userId: string;
  amountKobo: number;
  now: Date;
}

/** Credits a payment. A second one for the same reference violates a unique index. */
export async function topUp(tx: Database, { reference, userId, amountKobo, now }: TopUp) {
  requireKobo(amountKobo);
  await move(tx, {
    kind: 'top_up',
    reference,
    now,
    actorId: null,
    lines: [
      { account: 'provider', userId: null, amountKobo: -amountKobo },
      { account: 'available', userId, amountKobo },
    ],
  });
}

export interface PackageMoney {
  packageId: string;
  senderId: string;
  amountKobo: number;
  actorId: string;
  now: Date;
}

interface Place {
  account: 'available' | 'held';
  userId: string;
}

async function moveForPackage(
  tx: Database,
  kind: 'hold' | 'refund' | 'release',
  { packageId, amountKobo, actorId, now }: PackageMoney,
  { from, to }: { from: Place; to: Place },
): Promise<void> {
  requireKobo(amountKobo);
  await move(tx, {
    kind,
    packageId,
    actorId,
    now,
    lines: [
      { ...from, amountKobo: -amountKobo },
      { ...to, amountKobo },
    ],
  });
}

const available = (userId: string): Place => ({ account: 'available', userId });
const held = (userId: string): Place => ({ account: 'held', userId });

/** Holds the sender's money for a package. Refuses with `insufficient_funds`. */
export function hold(tx: Database, money: PackageMoney): Promise<void> {
  const { senderId } = money;
  return moveForPackage(tx, 'hold', money, { from: available(senderId), to: held(senderId) });
}

/** Returns held money to the sender, all or part. */
export function refund(tx: Database, money: PackageMoney): Promise<void> {
  const { senderId } = money;
  return moveForPackage(tx, 'refund', money, { from: held(senderId), to: available(senderId) });
}

/** Pays the courier from the hold. A second release of one package violates a unique index. */
export function release(tx: Database, money: PackageMoney & { courierId: string }): Promise<void> {
  const { senderId, courierId } = money;
  return moveForPackage(tx, 'release', money, { from: held(senderId), to: available(courierId) });
}

export interface Adjustment {
  userId: string;
  /** Negative to take. */
  amountKobo: number;
  reason: string;
  actorId: string;
  now: Date;
}

/** Corrects an available balance, without a permission check. Refuses with `insufficient_funds`. */
export async function adjust(tx: Database, adjustment: Adjustment): Promise<void> {
  const { userId, amountKobo, reason, actorId, now } = adjustment;
  requireKobo(Math.abs(amountKobo));
  await move(tx, {
    kind: 'adjustment',
    actorId,
    reason,
    now,
    lines: [
      { account: 'adjustments', userId: null, amountKobo: -amountKobo },
      { account: 'available', userId, amountKobo },
    ],
  });
}
