/** `npm run backup -- FILE`: a consistent snapshot of the database in one file. */

import { saveBackup } from './backup/file.ts';
import { counted, fileArgument, runCommand } from './command.ts';

const file = fileArgument('npm run backup -- kaya.backup');

await runCommand(async (db) => {
  const saved = await saveBackup(db, file, new Date());
  const { users, packages, transfers } = saved;
  process.stdout.write(
    `Saved ${counted(users, 'user')}, ${counted(packages, 'package')} and ${counted(transfers, 'transfer')} in ${file}. Keep it safe: it contains all data.\n`,
  );
});
