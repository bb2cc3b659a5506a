// node scripts/soak/taps.mjs --seconds S --seed N: random taps while offline, on one phone per role
// and one that is signed out. A seed determines the choices.
import { parseArgs } from 'node:util';
import { runnerImport } from 'vite';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
  },
});
const options = { forMs: Number(values.seconds) * 1_000, seed: Number(values.seed) };
if (!(Number.isSafeInteger(options.seed) && options.forMs > 0)) {
  process.stderr.write('Usage: node scripts/soak/taps.mjs [--seconds S] [--seed N]\n');
  process.exit(2);
}
const { module } = await runnerImport('./scripts/soak/taps/main.ts', {
  configFile: false,
  logLevel: 'error',
});
process.exitCode = (await module.main(options)) ? 0 : 1;
