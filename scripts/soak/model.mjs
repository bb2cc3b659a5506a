// npm run soak -- --seed N --ops M: runs the model of tests/sync/model with consecutive seeds
// (random unless given) until M operations were made, on a server that sends rows, or with
// `--stream off` on one that does not. Stops at the first violation and logs it to a
// file. Seeds replay exactly: --seed N --ops 1 is that one run.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { runnerImport } from 'vite';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(randomInt(2 ** 30)) },
    ops: { type: 'string', default: '50000' },
    stream: { type: 'string', default: 'on' },
    log: { type: 'string', default: 'model-soak.log' },
  },
});
const { stream, log } = values;
const [seed, operations] = [Number(values.seed), Number(values.ops)];
const options = { seed, operations, hasStream: stream === 'on', log };
if (!(Number.isSafeInteger(seed) && operations > 0 && ['on', 'off'].includes(stream))) {
  process.stderr.write(
    'Usage: npm run soak -- [--seed N] [--ops M] [--stream on|off] [--log FILE]\n',
  );
  process.exit(2);
}
const { module } = await runnerImport('./scripts/soak/model.ts', {
  configFile: false,
  logLevel: 'error',
});
process.exitCode = (await module.soak(options)) ? 0 : 1;
