/** `npm run restore -- FILE`: fills an empty database from a backup. */
import { requireBackup } from '#server/commands/backup/file.ts';
import { restoreBackup } from '#server/commands/backup/restore.ts';
import { contentOf, fileArgument, runCommand } from './command.ts';

const file = fileArgument('npm run restore -- kaya.backup');

await runCommand(
  async (db) => {
    const restored = await restoreBackup(db, file);
    process.stdout.write(`Restored ${contentOf(restored)} from ${file}.\n`);
  },
  // Check the file before a database is opened or created.
  () => requireBackup(file),
);
