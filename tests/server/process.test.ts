/** The built server as a process: how it starts, stops, refuses to start, and survives being killed. */
import { randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WirePackage } from '#contract/package.ts';
import {
  type Exit,
  type ServerProcess,
  startAndFail,
  startServer,
} from '#tests/fakes/server-process.ts';
import { goodPassword, packageBody } from './stage.ts';

const home = mkdtempSync(path.join(tmpdir(), 'kaya-process-'));
/** Made once by a first start; copied, since making one takes seconds. */
const cluster = path.join(home, 'cluster');
let folders = 0;
function freshFolder(): string {
  folders += 1;
  const folder = path.join(home, `data-${folders}`);
  cpSync(cluster, folder, { recursive: true });
  return folder;
}
beforeAll(async () => {
  const server = await startServer({ env: { DATA_DIR: cluster } });
  expect((await server.stop()).code).toBe(0);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** One call to a running server; rejects where no whole answer came. */
async function call<T>(
  url: string,
  method: string,
  at: string,
  { token, key, body }: { token?: string; key?: string; body?: unknown } = {},
): Promise<{ status: number; body: T }> {
  const response = await fetch(`${url}${at}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as T };
}

async function signUp(url: string, email = `${randomUUID()}@kaya.test`): Promise<string> {
  const body = { email, password: goodPassword, role: 'Customer' };
  const signedUp = await call<{ accessToken: string; user: { _id: string } }>(
    url,
    'POST',
    '/api/auth/signup',
    { body },
  );
  const token = signedUp.body.accessToken;
  const profile = { firstName: 'Amina', lastName: 'Bello', phoneNumber: '0803 123 4567' };
  await call(url, 'PATCH', '/api/users', {
    token,
    body: { id: signedUp.body.user._id, ...profile },
  });
  return token;
}

describe('a start that cannot be', () => {
  const oneSentence = (name: string) => new RegExp(`^${name} [^\\n]+\\.\\n$`);

  it.each([
    ['PORT', { PORT: 'eighty' }],
    ['RATE_LIMIT=off', { NODE_ENV: 'production', RATE_LIMIT: 'off' }],
    ['ADMIN_PASSWORD', { ADMIN_EMAIL: 'boss@kaya.test' }],
    ['HOST', { HOST: '203.0.113.7' }],
  ])('names %s in one sentence and ends with 1', async (name, env) => {
    const { code, stdout, stderr } = await startAndFail({
      env: { DATA_DIR: freshFolder(), ...env },
    });
    expect(stderr).toMatch(oneSentence(name));
    expect([code, stdout]).toEqual([1, '']);
  });

  it('says so where DATA_DIR cannot be used', async () => {
    const file = path.join(home, 'a-file');
    writeFileSync(file, 'no folder');
    for (const DATA_DIR of [file, path.join(file, 'below'), '/proc/kaya']) {
      const { code, stderr } = await startAndFail({ env: { DATA_DIR } });
      expect(stderr).toMatch(oneSentence('DATA_DIR'));
      expect(code).toBe(1);
    }
  });

  it('says so where the port is taken, and leaves the data alone', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    const address = await new Promise<ReturnType<typeof taken.address>>((resolve) =>
      taken.once('listening', () => resolve(taken.address())),
    );
    const PORT = String(typeof address === 'object' && address ? address.port : 0);
    const DATA_DIR = freshFolder();
    const { code, stderr } = await startAndFail({ env: { DATA_DIR, PORT } });
    taken.close();
    expect(stderr).toMatch(oneSentence(`PORT ${PORT}`));
    expect(code).toBe(1);
    const next = await startServer({ env: { DATA_DIR } });
    expect((await next.stop()).code).toBe(0);
  });

  it('refuses a second process on one folder; the first goes on undisturbed', async () => {
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
  it('prints where it is, keeps its secret over a restart, makes the admin once', async () => {
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

  it('finishes what it was asked before it stops', async () => {
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
});

interface Writer {
  token: string;
  /** What it was told is there. */
  acknowledged: Set<string>;
  /** Sent, and no answer came: may be there or not, and is sent again with its key. */
  unanswered: Map<string, ReturnType<typeof packageBody>>;
}

/** Creates packages until the server goes away, sending first again what went unanswered. */
async function writeUntilGone(url: string, writer: Writer, onAnswer: () => void): Promise<void> {
  const { token, acknowledged, unanswered } = writer;
  for (;;) {
    const [id = randomUUID()] = unanswered.keys();
    const body = unanswered.get(id) ?? packageBody({ _id: id });
    unanswered.set(id, body);
    try {
      const answer = await call<WirePackage>(url, 'POST', '/api/packages', {
        token,
        key: id,
        body,
      });
      expect([answer.status, answer.body._id]).toEqual([201, id]);
    } catch (error) {
      if (error instanceof TypeError || error instanceof SyntaxError) return;
      throw error;
    }
    acknowledged.add(id);
    unanswered.delete(id);
    onAnswer();
  }
}

/** Lets all write at once and kills the server in the middle of it, after `answers` answers. */
async function killAmidWrites(server: ServerProcess, writers: Writer[], answers: number) {
  let left = answers;
  let kill: Promise<Exit> | undefined;
  const onAnswer = () => {
    left -= 1;
    if (left === 0) kill = server.kill();
  };
  await Promise.all(writers.map((writer) => writeUntilGone(server.url, writer, onAnswer)));
  expect((await kill)?.signal).toBe('SIGKILL');
}

describe('a server that is killed', () => {
  it('20 times while it takes writes has every acknowledged package, each once', async () => {
    const env = { DATA_DIR: freshFolder() };
    let server = await startServer({ env });
    const writers: Writer[] = [];
    for (let n = 0; n < 4; n += 1) {
      const token = await signUp(server.url);
      writers.push({ token, acknowledged: new Set(), unanswered: new Map() });
    }
    for (let kill = 0; kill < 20; kill += 1) {
      await killAmidWrites(server, writers, 5 + kill);
      server = await startServer({ env });
    }
    for (const { token, acknowledged, unanswered } of writers) {
      const { body } = await call<WirePackage[]>(server.url, 'GET', '/api/packages', { token });
      const there = body.map((pkg) => pkg._id);
      expect(new Set(there).size).toBe(there.length);
      expect(
        [...acknowledged].filter((id) => !there.includes(id)),
        'lost',
      ).toEqual([]);
      const extra = there.filter((id) => !acknowledged.has(id) && !unanswered.has(id));
      expect(extra, 'made up').toEqual([]);
      expect(acknowledged.size).toBeGreaterThan(20);
    }
    expect((await server.stop()).code).toBe(0);
  }, 240_000);
});
