/** `npm run restore -- FILE`: fills an empty database from a backup. */
import { orStartupError } from '#server/backup/errors.ts';
import { insistOnBackup } from '#server/backup/file.ts';
import { restoreBackup } from '#server/backup/restore.ts';
import { counted, fileArgument, runCommand } from '#server/command.ts';

const file = fileArgument('npm run restore -- kaya.backup');

await runCommand(
  async (db) => {
    const { users, packages, transfers } = await orStartupError(restoreBackup(db, file));
    process.stdout.write(
      `Restored ${counted(users, 'user')}, ${counted(packages, 'package')} and ${counted(transfers, 'transfer')} from ${file}.\n`,
    );
  },
  // Before a database is opened, and made where there is none.
  () => orStartupError(insistOnBackup(file)),
);
