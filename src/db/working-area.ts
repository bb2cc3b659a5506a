/** A courier's working area, kept per user on this phone; it outlives a log-out. */
import * as v from 'valibot';
import { type Area, areaQuerySchema, areaText } from '#contract/area.ts';
import type { UserDatabase } from './user-database.ts';

const key = 'workingArea';

/** Null: everywhere; also if what is stored cannot be read. */
export async function readWorkingArea(db: UserDatabase): Promise<Area | null> {
  const stored = v.safeParse(areaQuerySchema, (await db.meta.get(key))?.value);
  return stored.success ? stored.output : null;
}

export async function writeWorkingArea(db: UserDatabase, area: Area | null): Promise<void> {
  if (area) await db.meta.put({ key, value: areaText(area) });
  else await db.meta.delete(key);
}
