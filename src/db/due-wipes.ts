/** Emptying the mirrors that a log-out left behind because the phone died before it came to that. */
import { type DeviceDatabase, noteWiped, readDueWipes } from './device-database.ts';
import type { KeptDatabaseOptions } from './kept-database.ts';
import { UserDatabase, wipeMirror } from './user-database.ts';

/** Never rejects: what could not be emptied now is tried at the next start. */
export async function finishWipes(
  device: DeviceDatabase,
  options: KeptDatabaseOptions = {},
): Promise<void> {
  const due = await readDueWipes(device).catch(() => []);
  for (const userId of due) {
    const db = new UserDatabase(userId, options);
    await wipeMirror(db)
      .then(() => noteWiped(device, userId))
      .catch(() => undefined);
    db.close();
  }
}
