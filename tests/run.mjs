// @ts-check
// `npm test` and, with --long, `npm run test:long`: installs what is missing, then builds and runs
// the checks in parallel lanes.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { ensureInstalled, exitOnPrepareError, root } from '#server/commands/prepare.mjs';

process.chdir(root);

await exitOnPrepareError(ensureInstalled);
// Imported late: these need installed packages.
const { ensureBrowser } = await import('./browser.mjs');
const { startPostgres } = await import('./postgres.mjs');
const { bin, runLanes, vitest } = await import('./lanes.mjs');

process.env.CHROMIUM_PATH = ensureBrowser();
const postgres = await startPostgres();
process.on('exit', () => postgres?.stop());
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.once(signal, () => process.exit(1));
}
if (postgres) process.env.TEST_DATABASE_URL = postgres.url;
const databases = postgres
  ? `PostgreSQL ${postgres.version}`
  : 'PGlite: no PostgreSQL was found or could be installed (TEST_DATABASE_URL may name one)';
console.log(`Chromium: ${process.env.CHROMIUM_PATH}\nServer tests run on ${databases}.`);
rmSync(path.join(root, 'test-results'), { recursive: true, force: true });

const { execPath: node } = process;
/** @type {import('./lanes.mjs').Step} beside the types and the linter, which need only the source */
const build = { name: 'build', command: [node, 'server/commands/run.mjs'] };

/** @type {import('./lanes.mjs').Step[][]} */
const usual = [
  [
    { name: 'types', command: [node, 'tests/check-types.mjs'] },
    { name: 'lint', command: [bin('biome'), 'check', '--error-on-warnings', '.'] },
    vitest('vitest', { needs: 'build' }),
  ],
  [build, { name: 'browser', command: [bin('playwright'), 'test'], needs: 'build' }],
];

/**
 * A fixed seed makes each run the same; `npm run soak` draws others.
 * @param {'on' | 'off'} stream
 * @returns {import('./lanes.mjs').Step}
 */
const model = (stream) => ({
  name: `model, stream ${stream}`,
  command: [
    node,
    ...['scripts/soak/model.mjs', '--seed', '20261123', '--ops', '20000', '--stream', stream],
  ],
});

const long = { TEST_LONG: '1' };
/** @type {import('./lanes.mjs').Step[][]} */
const longLanes = [
  [
    model('on'),
    model('off'),
    vitest('server', {
      args: ['--project', 'server*', '--project', 'isolated'],
      env: long,
      needs: 'build',
    }),
  ],
  [
    build,
    { name: 'browser', command: [bin('playwright'), 'test'], env: long, needs: 'build' },
    {
      name: 'engines',
      command: [bin('playwright'), 'test', '-c', 'tests/engines/playwright.config.ts'],
      needs: 'build',
    },
    { name: 'taps', command: [node, 'scripts/soak/taps.mjs'], needs: 'build' },
  ],
];

const isGreen = await runLanes(process.argv.includes('--long') ? longLanes : usual);
// Otherwise its process would keep this one alive.
postgres?.stop();
process.exitCode = isGreen ? 0 : 1;
