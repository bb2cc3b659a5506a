/** `npm run backup -- FILE`: a consistent snapshot of the database in one file. */

import { saveBackup } from './backup/file.ts';
import { contentOf, fileArgument, runCommand } from './command.ts';

const file = fileArgument('npm run backup -- kaya.backup');

await runCommand(async (db) => {
  const saved = await saveBackup(db, file, new Date());
  process.stdout.write(
    `Saved ${contentOf(saved)} in ${file}. Keep it safe: it contains all data.\n`,
  );
});
