import { desc } from 'drizzle-orm';
import type { Database } from '#server/database/database.ts';
import { sandboxTexts } from '#server/database/recipient-schema.ts';

export type SandboxText = typeof sandboxTexts.$inferSelect;

export async function keepText(db: Database, row: SandboxText): Promise<void> {
  await db.insert(sandboxTexts).values(row);
}

/** Newest first. */
export function listTexts(db: Database): Promise<SandboxText[]> {
  return db
    .select()
    .from(sandboxTexts)
    .orderBy(desc(sandboxTexts.at), desc(sandboxTexts.id))
    .limit(100);
}
