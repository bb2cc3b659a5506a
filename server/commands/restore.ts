/** `npm run restore -- FILE`: fills an empty database from a backup. */
import { requireBackup } from '#server/commands/backup/file.ts';
import { restoreBackup } from '#server/commands/backup/restore.ts';
import { counted, fileArgument, runCommand } from './command.ts';

const file = fileArgument('npm run restore -- kaya.backup');

await runCommand(
  async (db) => {
    const { users, packages, transfers } = await restoreBackup(db, file);
    process.stdout.write(
      `Restored ${counted(users, 'user')}, ${counted(packages, 'package')} and ${counted(transfers, 'transfer')} from ${file}.\n`,
    );
  },
  // Check the file before a database is opened or created.
  () => requireBackup(file),
);
