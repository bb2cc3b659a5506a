// npm run soak:browser -- --minutes M --seed N: four real tabs of two users behind a network that
// drops, delays, cuts and duplicates; then without faults, all views must agree.
import { parseArgs } from 'node:util';
import { runnerImport } from 'vite';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '3' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const options = { forMs: Number(values.minutes) * 60_000, seed: Number(values.seed) };
if (!(Number.isSafeInteger(options.seed) && options.forMs > 0)) {
  process.stderr.write('Usage: npm run soak:browser -- [--minutes M] [--seed N]\n');
  process.exit(2);
}
const { module } = await runnerImport('./scripts/soak/browser/main.ts', {
  configFile: false,
  logLevel: 'error',
});
process.exitCode = (await module.main(options)) ? 0 : 1;
