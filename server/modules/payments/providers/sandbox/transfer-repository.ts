import { and, asc, eq, lte } from 'drizzle-orm';
import type { Database } from '#server/database/database.ts';
import { sandboxRecipients, sandboxTransfers } from '#server/database/payout-schema.ts';
import { inTransaction } from '#server/database/transaction.ts';
import { lifeOf } from './transfer-lives.ts';

export type SandboxRecipient = typeof sandboxRecipients.$inferSelect;
export type SandboxTransfer = typeof sandboxTransfers.$inferSelect;

/** The first recipient of an account is kept, as Paystack does. */
export async function addRecipient(db: Database, row: SandboxRecipient): Promise<SandboxRecipient> {
  return inTransaction(db, async (tx) => {
    const isSame = and(
      eq(sandboxRecipients.bankCode, row.bankCode),
      eq(sandboxRecipients.accountNumber, row.accountNumber),
    );
    const [known] = await tx.select().from(sandboxRecipients).where(isSame);
    if (known) return known;
    await tx.insert(sandboxRecipients).values(row);
    return row;
  });
}

export async function findRecipient(db: Database, code: string): Promise<SandboxRecipient | null> {
  const isIt = eq(sandboxRecipients.code, code);
  const rows = await db.select().from(sandboxRecipients).where(isIt);
  return rows[0] ?? null;
}

/** False if the reference was used before. */
export async function insertTransfer(
  db: Database,
  row: typeof sandboxTransfers.$inferInsert,
): Promise<boolean> {
  const rows = await db
    .insert(sandboxTransfers)
    .values(row)
    .onConflictDoNothing({ target: sandboxTransfers.reference })
    .returning({ reference: sandboxTransfers.reference });
  return rows.length > 0;
}

export interface KnownTransfer {
  transfer: SandboxTransfer;
  recipient: SandboxRecipient;
}

const known = (db: Database) =>
  db
    .select({ transfer: sandboxTransfers, recipient: sandboxRecipients })
    .from(sandboxTransfers)
    .innerJoin(sandboxRecipients, eq(sandboxRecipients.code, sandboxTransfers.recipientCode));

export async function findTransfer(db: Database, reference: string): Promise<KnownTransfer | null> {
  const rows = await known(db).where(eq(sandboxTransfers.reference, reference));
  return rows[0] ?? null;
}

/** When its webhook of this number is due; null: there is no such. */
export function dueAt(accountNumber: string, createdAt: Date, nth: number): Date | null {
  const event = lifeOf(accountNumber).events[nth];
  return event ? new Date(createdAt.getTime() + event.afterMs) : null;
}

/** Claims the next webhook that is due, marking it as sent. */
export async function claimEvent(db: Database, now: Date): Promise<KnownTransfer | null> {
  const isDue = lte(sandboxTransfers.announceAt, now);
  const [waiting] = await known(db).where(isDue).orderBy(asc(sandboxTransfers.announceAt)).limit(1);
  if (!waiting) return null;
  const { transfer, recipient } = waiting;
  const nth = transfer.announced + 1;
  const claimed = await db
    .update(sandboxTransfers)
    .set({
      announced: nth,
      announceAt: dueAt(recipient.accountNumber, transfer.createdAt, nth),
    })
    .where(
      and(
        eq(sandboxTransfers.reference, transfer.reference),
        eq(sandboxTransfers.announced, transfer.announced),
      ),
    )
    .returning({ reference: sandboxTransfers.reference });
  return claimed.length > 0 ? waiting : claimEvent(db, now);
}
