/** `npm run audit`: checks the ledger; prints each violation and exits with 1 if there is one. */
import { formatNaira } from '#domain/money.ts';
import { audit, ledgerSize } from '#server/modules/ledger/audit.ts';
import { runCommand } from './command.ts';

await runCommand(async (db) => {
  const broken = await audit(db);
  const { transfers, wallets, totalKobo } = await ledgerSize(db);
  const size = `${transfers} transfers, ${wallets} wallets, ${formatNaira(totalKobo)}`;
  const isWhole = broken.length === 0;
  if (isWhole) process.stdout.write(`The ledger is whole: ${size}.\n`);
  else process.stdout.write(`The ledger is broken (${size}):\n${broken.join('\n')}\n`);
  process.exitCode = isWhole ? 0 : 1;
});
