// npm run screenshots -- [FOLDER] [--only TEXT] [--size 360x740] [--scheme dark] [--server URL]:
// screenshots of every scene (scenes*.ts), from the built app on a temporary demo or on a running
// server. --best: only those of best.ts, into public/screenshots.
import { parseArgs } from 'node:util';
import {
  ensureBuilt,
  ensureInstalled,
  exitOnPrepareError,
  root,
} from '#server/commands/prepare.mjs';

process.chdir(root);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    size: { type: 'string', default: '' },
    scheme: { type: 'string', default: '' },
    server: { type: 'string', default: '' },
    best: { type: 'boolean', default: false },
  },
});
await exitOnPrepareError(() => {
  ensureInstalled();
  ensureBuilt();
});
const folder = positionals[0] ?? (values.best ? 'public/screenshots' : 'screenshots');
const { runnerImport } = await import('vite');
const { module } = await runnerImport('./scripts/screenshots/main.ts', {
  configFile: false,
  logLevel: 'error',
});
process.exitCode = (await module.main({ folder, ...values })) ? 0 : 1;
