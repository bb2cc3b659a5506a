// npm run soak -- --seed N --ops M: runs the model of tests/sync/model with consecutive seeds
// (random unless given) until M operations were made. Stops at the first violation and logs it to a
// file. Seeds replay exactly: --seed N --ops 1 is that one run.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { runnerImport } from 'vite';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(randomInt(2 ** 30)) },
    ops: { type: 'string', default: '50000' },
    log: { type: 'string', default: 'model-soak.log' },
  },
});
const options = { seed: Number(values.seed), operations: Number(values.ops), log: values.log };
if (!(Number.isSafeInteger(options.seed) && options.operations > 0)) {
  process.stderr.write('Usage: npm run soak -- [--seed N] [--ops M] [--log FILE]\n');
  process.exit(2);
}
const { module } = await runnerImport('./scripts/soak/model.ts', {
  configFile: false,
  logLevel: 'error',
});
process.exitCode = (await module.soak(options)) ? 0 : 1;
