/**
 * The only place where money moves. Invariants, enforced here and by the database: a transfer's
 * entries sum to zero; a wallet is the sum of its entries and never negative. Every operation runs
 * in the caller's transaction and locks wallets in the order of user ids.
 *
 *   provider ──top_up──▶ available ──hold──▶ held ──release──▶ available of the courier
 *   adjustments ◀─adjustment─▶ ▲ ◀──refund──┘ ▲ ◀──reversal──┘
 *                              ▲ ◀───────────settlement──────▶ available of the courier
 *
 *   available ──payout──▶ payouts ──payout_paid──▶ provider
 *       ▲ ◀──────────payout_returned──────────────────┘
 */
import type { TransferCause } from '#contract/payment.ts';
import type { Database } from '#server/database/database.ts';
import type { LedgerAccount, LedgerKind } from '#server/database/money-schema.ts';
import { Refusal } from '#server/http/refusal.ts';
import { insertTransfer, lockWallets, payoutsOf, updateWallet, type Wallet } from './repository.ts';

/** 'available' and 'held' have an owner; the others have none. */
interface Account {
  account: LedgerAccount;
  userId: string | null;
}

const available = (userId: string): Account => ({ account: 'available', userId });
const held = (userId: string): Account => ({ account: 'held', userId });
const ownerless = (account: LedgerAccount): Account => ({ account, userId: null });

interface Movement {
  kind: LedgerKind;
  from: Account;
  to: Account;
  amountKobo: number;
  /** Null for the provider and for the server itself. */
  actorId: string | null;
  packageId?: string;
  reference?: string;
  reason?: string | undefined;
  payout?: number;
  payoutId?: string;
  now: Date;
}

interface Line extends Account {
  amountKobo: number;
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

async function move(tx: Database, movement: Movement): Promise<void> {
  const { from, to, amountKobo, now, ...transfer } = movement;
  const lines: Line[] = [
    { ...from, amountKobo: -amountKobo },
    { ...to, amountKobo },
  ];
  const owners = lines.flatMap(({ userId }) => (userId === null ? [] : [userId]));
  const wallets = await lockWallets(tx, owners, movement.actorId);
  for (const line of lines) {
    const wallet = line.userId === null ? undefined : wallets.get(line.userId);
    if (line.userId !== null && !wallet) throw new Error('The user of this wallet does not exist.');
    if (line.userId !== null && wallet) wallets.set(line.userId, after(wallet, line));
  }
  for (const wallet of wallets.values()) requireCover(wallet);
  for (const [userId, wallet] of wallets) await updateWallet(tx, userId, wallet);
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
export async function topUp(tx: Database, { userId, ...payment }: TopUp): Promise<void> {
  requireKobo(payment.amountKobo);
  const from = ownerless('provider');
  await move(tx, { ...payment, kind: 'top_up', actorId: null, from, to: available(userId) });
}

export interface PackageMoney {
  packageId: string;
  senderId: string;
  amountKobo: number;
  actorId: string | null;
  reason?: TransferCause | undefined;
  now: Date;
}

/** Holds the sender's money for a package. Refuses with `insufficient_funds`. */
export async function hold(tx: Database, { senderId, ...money }: PackageMoney): Promise<void> {
  requireKobo(money.amountKobo);
  await move(tx, { ...money, kind: 'hold', from: available(senderId), to: held(senderId) });
}

/** Returns held money to the sender, all or part. */
export async function refund(tx: Database, { senderId, ...money }: PackageMoney): Promise<void> {
  requireKobo(money.amountKobo);
  await move(tx, { ...money, kind: 'refund', from: held(senderId), to: available(senderId) });
}

/**
 * Pays the courier from the hold. A second release of one hold violates a unique index, unless the
 * first was taken back.
 */
export async function release(
  tx: Database,
  { senderId, courierId, ...money }: PackageMoney & { courierId: string },
): Promise<void> {
  requireKobo(money.amountKobo);
  const { next: payout } = await payoutsOf(tx, money.packageId);
  const [from, to] = [held(senderId), available(courierId)];
  await move(tx, { ...money, kind: 'release', payout, from, to });
}

/**
 * Takes the package's payout back into the hold, from the courier who got it. Refuses with
 * `insufficient_funds` if they no longer have it. A second reversal violates a unique index.
 */
export async function reverse(
  tx: Database,
  { senderId, ...money }: Omit<PackageMoney, 'amountKobo'>,
): Promise<void> {
  const { current } = await payoutsOf(tx, money.packageId);
  if (!current) throw new Error('Nothing was paid out for this package.');
  const { courierId, amountKobo, payout } = current;
  const [from, to] = [available(courierId), held(senderId)];
  await move(tx, { ...money, amountKobo, kind: 'reversal', payout, from, to });
}

/**
 * Moves what a decision names between sender and courier when nothing is held any more: to the courier
 * of the payout, or from them. Refuses with `insufficient_funds` if who gives no longer has it.
 */
export async function settle(
  tx: Database,
  {
    senderId,
    courierId,
    isToCourier,
    ...money
  }: PackageMoney & { courierId: string; isToCourier: boolean },
): Promise<void> {
  requireKobo(money.amountKobo);
  const { current } = await payoutsOf(tx, money.packageId);
  const ends = [available(senderId), available(current?.courierId ?? courierId)] as const;
  const [from, to] = isToCourier ? ends : [ends[1], ends[0]];
  await move(tx, { ...money, kind: 'settlement', from, to });
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
export async function adjust(tx: Database, { userId, ...adjustment }: Adjustment): Promise<void> {
  requireKobo(Math.abs(adjustment.amountKobo));
  const from = ownerless('adjustments');
  await move(tx, { ...adjustment, kind: 'adjustment', from, to: available(userId) });
}

export interface PayoutMoney {
  payoutId: string;
  userId: string;
  /** What the bank gets and the fee. */
  amountKobo: number;
  now: Date;
}

/** Takes a payout from the balance. Refuses with `insufficient_funds`. */
export async function payOut(tx: Database, { userId, ...money }: PayoutMoney): Promise<void> {
  requireKobo(money.amountKobo);
  const [from, to] = [available(userId), ownerless('payouts')];
  await move(tx, { ...money, kind: 'payout', actorId: userId, from, to });
}

/** It arrived. A second time violates a unique index, here and below. */
export async function payoutArrived(
  tx: Database,
  { userId: _userId, ...money }: PayoutMoney,
): Promise<void> {
  const [from, to] = [ownerless('payouts'), ownerless('provider')];
  await move(tx, { ...money, kind: 'payout_paid', actorId: null, from, to });
}

/** It came back, also after it arrived. */
export async function payoutCameBack(
  tx: Database,
  { userId, hadArrived, ...money }: PayoutMoney & { hadArrived: boolean },
): Promise<void> {
  const from = ownerless(hadArrived ? 'provider' : 'payouts');
  await move(tx, { ...money, kind: 'payout_returned', actorId: null, from, to: available(userId) });
}
