/** Rows of the sandbox provider: they meet the rest of the server over HTTP alone. */
import { and, eq, ne } from 'drizzle-orm';
import type { Database } from '#server/database/database.ts';
import { type SandboxStatus, sandboxTransactions } from '#server/database/money-schema.ts';

export type SandboxTransaction = typeof sandboxTransactions.$inferSelect;

/** False where the reference was used before. */
export async function insertTransaction(
  db: Database,
  row: typeof sandboxTransactions.$inferInsert,
): Promise<boolean> {
  const rows = await db
    .insert(sandboxTransactions)
    .values(row)
    .onConflictDoNothing({ target: sandboxTransactions.reference })
    .returning({ reference: sandboxTransactions.reference });
  return rows.length > 0;
}

/** By the reference that the server chose or the access code of the page that the payer sees. */
export async function findTransaction(
  db: Database,
  by: 'reference' | 'accessCode',
  value: string,
): Promise<SandboxTransaction | null> {
  const rows = await db
    .select()
    .from(sandboxTransactions)
    .where(eq(sandboxTransactions[by], value));
  return rows[0] ?? null;
}

/** What the payer decided; what is paid stays paid. True: it is now as decided by this call. */
export async function decide(
  db: Database,
  reference: string,
  status: SandboxStatus,
  now: Date,
): Promise<boolean> {
  const rows = await db
    .update(sandboxTransactions)
    .set({ status, ...(status === 'success' ? { paidAt: now } : {}) })
    .where(
      and(eq(sandboxTransactions.reference, reference), ne(sandboxTransactions.status, 'success')),
    )
    .returning({ reference: sandboxTransactions.reference });
  return rows.length > 0;
}
