/** A courier's working area, kept per user on this phone; it outlives a log-out. */
import { type Area, areaFromText, areaText } from '#contract/area.ts';
import type { UserDatabase } from './user-database.ts';

const key = 'workingArea';

/** Null: everywhere; also if the stored value cannot be read. */
export async function readWorkingArea(db: UserDatabase): Promise<Area | null> {
  return areaFromText((await db.meta.get(key))?.value);
}

export async function writeWorkingArea(db: UserDatabase, area: Area | null): Promise<void> {
  if (area) await db.meta.put({ key, value: areaText(area) });
  else await db.meta.delete(key);
}
