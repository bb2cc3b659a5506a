/** `npm run backup -- FILE`: everything in the database, as of one moment, into one file. */
import { counted, fileArgument, runCommand } from '#server/command.ts';
import { orStartupError } from './errors.ts';
import { saveBackup } from './file.ts';

const file = fileArgument('npm run backup -- kaya.backup');

await runCommand(async (db) => {
  const saved = await orStartupError(saveBackup(db, file, new Date()));
  const { users, packages, transfers } = saved;
  process.stdout.write(
    `Saved ${counted(users, 'user')}, ${counted(packages, 'package')} and ${counted(transfers, 'transfer')} in ${file}. Keep it safe: whoever has it has everything.\n`,
  );
});
