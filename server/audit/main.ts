/** `npm run audit`: is the ledger whole? Exit code 0 where it is, 1 with what is broken. */
import { formatNaira } from '#domain/money.ts';
import { readConfig } from '#server/config.ts';
import { openDatabase } from '#server/database/open.ts';
import { audit, ledgerSize } from '#server/modules/ledger/audit.ts';
import { orExplain } from '#server/serve.ts';

await orExplain(async () => {
  const database = await openDatabase(readConfig(process.env));
  try {
    const broken = await audit(database.db);
    const { transfers, wallets, totalKobo } = await ledgerSize(database.db);
    const size = `${transfers} transfers, ${wallets} wallets, ${formatNaira(totalKobo)}`;
    const isWhole = broken.length === 0;
    if (isWhole) process.stdout.write(`The ledger is whole: ${size}.\n`);
    else process.stdout.write(`The ledger is broken (${size}):\n${broken.join('\n')}\n`);
    process.exitCode = isWhole ? 0 : 1;
  } finally {
    await database.close();
  }
});
