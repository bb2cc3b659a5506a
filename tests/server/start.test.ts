/** `npm start` as a person or a process manager runs it: through npm. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { startServer } from '#tests/fakes/server-process.ts';

const dataDir = mkdtempSync(path.join(tmpdir(), 'kaya-start-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

it('stops with npm: a SIGTERM to npm leaves no server behind on the data folder', async () => {
  const npm = spawn('npm', ['start'], {
    env: { ...process.env, PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn', NODE_ENV: 'test' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let stdout = '';
  const gone = once(npm.stdout, 'close');
  await new Promise<void>((resolve) => {
    npm.stdout.on('data', (chunk) => {
      stdout += chunk;
      if (stdout.includes('Kaya is ready at')) resolve();
    });
  });
  npm.kill('SIGTERM');
  // The pipe closes with the last process that holds it, which is the server.
  await gone;
  const next = await startServer({ env: { DATA_DIR: dataDir } });
  expect((await next.stop()).code).toBe(0);
});
