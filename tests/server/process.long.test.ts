/** The built server as a process: start, stop and refusal to start. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startAndFail, startServer } from '#tests/fakes/server-process.ts';
import { call, dataFolders, signUp } from './process-stage.ts';
import { goodPassword, packageBody } from './stage.ts';

const freshFolder = dataFolders();

describe('an invalid start', () => {
  const oneSentence = (name: string) => new RegExp(`^${name} [^\\n]+\\.\\n$`);

  it.each([
    ['PORT', { PORT: 'eighty' }],
    ['HOST', { HOST: '203.0.113.7' }],
  ])('names %s in one sentence and exits with 1', async (name, env) => {
    const { code, stdout, stderr } = await startAndFail({
      env: { DATA_DIR: freshFolder(), ...env },
    });
    expect(stderr).toMatch(oneSentence(name));
    expect([code, stdout]).toEqual([1, '']);
  });

  it('reports an unusable DATA_DIR', async () => {
    const file = path.join(freshFolder(), 'a-file');
    writeFileSync(file, 'no folder');
    for (const DATA_DIR of [file, '/proc/kaya']) {
      const { code, stderr } = await startAndFail({ env: { DATA_DIR } });
      expect(stderr).toMatch(oneSentence('DATA_DIR'));
      expect(code).toBe(1);
    }
  });

  it('reports an occupied port and leaves the data alone', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const PORT = String((taken.address() as AddressInfo).port);
    const DATA_DIR = freshFolder();
    const { code, stderr } = await startAndFail({ env: { DATA_DIR, PORT } });
    taken.close();
    expect(stderr).toMatch(oneSentence(`PORT ${PORT}`));
    expect(code).toBe(1);
    const next = await startServer({ env: { DATA_DIR } });
    expect((await next.stop()).code).toBe(0);
  });

  it('refuses a second process on one folder; the first continues', async () => {
    const DATA_DIR = freshFolder();
    const first = await startServer({ env: { DATA_DIR } });
    const { code, stderr } = await startAndFail({ env: { DATA_DIR } });
    expect(stderr).toMatch(/^DATA_DIR is in use: [^\n]+\.\n$/);
    expect(code).toBe(1);
    const token = await signUp(first.url);
    const { status } = await call(first.url, 'POST', '/api/packages', {
      token,
      body: packageBody(),
    });
    expect(status).toBe(201);
    await first.stop();
  });
});

describe('a running server', () => {
  it('prints its address, keeps its secret over a restart and creates the admin once', async () => {
    const admin = { ADMIN_EMAIL: 'boss@kaya.test', ADMIN_PASSWORD: goodPassword };
    const env = { DATA_DIR: freshFolder(), LOG_LEVEL: 'info', ...admin };
    const first = await startServer({ env });
    expect(first.url).toMatch(/^http:\/\/localhost:\d+$/);
    const token = await signUp(first.url);
    const stopped = await first.stop();
    expect([stopped.code, stopped.stdout]).toEqual([0, `Kaya is ready at ${first.url}\n`]);
    const second = await startServer({ env });
    expect((await call(second.url, 'GET', '/api/users', { token })).status).toBe(200);
    const body = { email: admin.ADMIN_EMAIL, password: goodPassword };
    expect((await call(second.url, 'POST', '/api/auth/login', { body })).status).toBe(200);
    const again = await second.stop();
    expect([stopped.stderr, again.stderr].map((log) => log.includes('the first admin'))).toEqual([
      true,
      false,
    ]);
    expect(stopped.stderr).not.toMatch(/boss@kaya|a-good-password/);
  });

  it('completes requests in flight before it stops', async () => {
    const server = await startServer({ env: { DATA_DIR: freshFolder() } });
    const token = await signUp(server.url);
    const asked = Array.from({ length: 20 }, () =>
      call(server.url, 'POST', '/api/packages', { token, body: packageBody() }).then(
        ({ status }) => status,
        () => 'never began',
      ),
    );
    await Promise.race(asked);
    const stoppingAt = Date.now();
    const { code } = await server.stop();
    expect(Date.now() - stoppingAt, 'it waited for connections kept alive').toBeLessThan(8000);
    const statuses = await Promise.all(asked);
    expect(code).toBe(0);
    expect(statuses).toContain(201);
    expect(statuses.filter((status) => ![201, 503, 'never began'].includes(status))).toEqual([]);
  });

  it('stops with npm: a SIGTERM to npm leaves no server on the data folder', async () => {
    const DATA_DIR = freshFolder();
    const npm = spawn('npm', ['start'], {
      env: { ...process.env, PORT: '0', DATA_DIR, LOG_LEVEL: 'warn', NODE_ENV: 'test' },
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
    // The pipe closes with the last process that holds it, the server.
    await gone;
    const next = await startServer({ env: { DATA_DIR } });
    expect((await next.stop()).code).toBe(0);
  });
});
