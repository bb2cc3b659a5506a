/**
 * `npm run audit`: checks the ledger, with `-- --pictures` every photo and signature too; prints
 * each violation and exits with 1 if there is one.
 */

import { formatNaira } from '#domain/money.ts';
import { exitWith } from '#server/config/startup-error.ts';
import { audit, ledgerSize } from '#server/modules/ledger/audit.ts';
import { auditPictures } from '#server/modules/proofs/audit.ts';
import { openPictureStore } from '#server/modules/proofs/open-store.ts';
import { runCommand } from './command.ts';

const given = process.argv.slice(2);
if (given.some((each) => each !== '--pictures')) {
  exitWith('Without an argument, or with one: npm run audit -- --pictures');
}

function report(what: string, size: string, broken: readonly string[]): void {
  if (broken.length === 0) return void process.stdout.write(`${what} whole: ${size}.\n`);
  process.stdout.write(`${what} broken (${size}):\n${broken.join('\n')}\n`);
  process.exitCode = 1;
}

await runCommand(async (db, { s3 }) => {
  const broken = await audit(db);
  const { transfers, wallets, totalKobo } = await ledgerSize(db);
  const size = `${transfers} transfers, ${wallets} wallets, ${formatNaira(totalKobo)}`;
  report('The ledger is', size, broken);
  if (given.length === 0) return;
  const found = await auditPictures(db, openPictureStore(s3));
  report('The pictures are', `${found.pictures} checked`, found.broken);
});
