/**
 * The disk under the embedded database fails or is full. A fault that PostgreSQL may not survive
 * ends the process with one sentence before the next query; acknowledged writes are kept.
 */
import { once } from 'node:events';
import { cpSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DrizzleQueryError, sql } from 'drizzle-orm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { selectScalar } from '#server/database/database.ts';
import { isUnavailable } from '#server/database/database-failure.ts';
import { openEmbedded } from '#server/database/pglite.ts';
import {
  type Exit,
  runCommand,
  type ServerProcess,
  startAndFail,
  startServer,
} from '#tests/fakes/server-process.ts';
import { diskKind, failingDisk, type SmallDisk, smallDisk } from '#tests/fakes/small-disk.ts';
import { dataFolders } from './process-stage.ts';
import { expectAllKept, signUpWriters, type Writer, write, writeUntilGone } from './writers.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const freshFolder = dataFolders();
const MB = 1024 * 1024;
/** Faults of the write-ahead log. */
const segment = 16 * MB;

let disk: SmallDisk | undefined;
let server: ServerProcess | undefined;
afterEach(async () => {
  if (server?.process.exitCode === null) await server.kill();
  disk?.remove();
  disk = undefined;
  server = undefined;
});

const oneSentence = (says: RegExp) =>
  expect.stringMatching(new RegExp(`^(?=[^\\n]*${says.source})[^\\n]+\\.\\n$`));

async function expectEnd(exit: Promise<Exit>, says: RegExp): Promise<void> {
  const { code, signal, stderr } = await exit;
  expect({ code, signal, stderr }).toEqual({ code: 1, signal: null, stderr: oneSentence(says) });
}

async function expectWhole(env: Record<string, string>): Promise<void> {
  const { code, stderr } = await runCommand('audit', env);
  expect([code, stderr]).toEqual([0, '']);
}

/** After a restart all acknowledged data is present, and unanswered requests are retried. */
async function expectKept(env: Record<string, string>, writers: Writer[]) {
  const again = await startServer({ env });
  await expectAllKept(again.url, writers);
  for (const writer of writers) expect(await write(again.url, writer)).toBe(201);
  await expectAllKept(again.url, writers);
  expect((await again.stop()).code).toBe(0);
  await expectWhole(env);
}

const faults: [string, object, RegExp][] = [
  ['a flush', { call: 'fdatasyncSync', code: 'EIO' }, /EIO.*disk/],
  ['a flush for want of room', { call: 'fdatasyncSync', code: 'ENOSPC' }, /ENOSPC.*Free some/],
  ['a write of the log', { call: 'writeSync', code: 'EIO' }, /EIO.*disk/],
  ['the engine', { call: 'writeSync' }, /RangeError/],
];

describe('one disk call fails under 12 writers', () => {
  it.each(
    faults,
  )('%s: the process ends within 2 s and keeps every acknowledged package', async (_, fault, says) => {
    const env = { DATA_DIR: freshFolder() };
    server = await startServer({
      env: { ...env, NODE_OPTIONS: `--import=${failingDisk}` },
      hasChannel: true,
    });
    const { url, process, exit } = server;
    const writers = await signUpWriters(url, 12);
    let answers = 0;
    let armedAt: number | undefined;
    const arm = async () => {
      armedAt = Number.POSITIVE_INFINITY;
      const armed = once(process, 'message');
      process.send(fault);
      await armed;
      armedAt = performance.now();
    };
    const writing = writers.map((writer) =>
      writeUntilGone(url, writer, () => {
        answers += 1;
        if (answers >= 36) armedAt ?? void arm();
      }),
    );
    await once(process, 'exit');
    expect(performance.now() - Number(armedAt)).toBeLessThan(2000);
    await Promise.all(writing);
    await expectEnd(exit, says);
    await expectKept(env, writers);
  });

  it('a flush of the next start: the start fails and does not ask for a backup', async () => {
    const env = { DATA_DIR: freshFolder() };
    server = await startServer({ env });
    const writers = await signUpWriters(server.url, 1);
    await server.kill();
    const FIRST_FAULT = JSON.stringify({ call: 'fdatasyncSync', code: 'EIO' });
    const NODE_OPTIONS = `--import=${failingDisk}`;
    const failed = await startAndFail({ env: { ...env, FIRST_FAULT, NODE_OPTIONS } });
    expect([failed.code, failed.stderr]).toEqual([1, oneSentence(/EIO.*disk/)]);
    expect(failed.stderr).not.toMatch(/backup/);
    await expectKept(env, writers);
  });
});

it.each(['53100', '58030'])('%s of PostgreSQL is a retryable error', (code) => {
  const cause = Object.assign(new Error('the disk'), { code });
  expect(isUnavailable(new DrizzleQueryError('select', [], cause))).toBe(true);
});

describe(`a full disk (${diskKind})`, () => {
  interface Stand extends SmallDisk {
    writers: Writer[];
  }

  /** Writers on a separate disk, with this many bytes left until the log needs its next segment. */
  async function stand(count = 1, logLeft = segment / 2): Promise<Stand> {
    disk = smallDisk(160 * MB);
    const DATA_DIR = freshFolder();
    const first = await startServer({ env: { DATA_DIR } });
    const writers = await signUpWriters(first.url, count);
    expect((await first.stop()).code).toBe(0);
    const database = await openEmbedded(DATA_DIR);
    const position = sql<number>`mod(pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0'), ${segment})::int`;
    let toFill = segment - logLeft - (await selectScalar(database.db, position));
    for (; toFill > 0; toFill -= MB) {
      await database.db.execute(
        sql`select pg_logical_emit_message(false, 'fill', repeat('x', ${Math.min(toFill, MB)}::int))`,
      );
    }
    await database.close();
    cpSync(DATA_DIR, disk.dataDir, { recursive: true });
    rmSync(DATA_DIR, { recursive: true });
    return { ...disk, writers };
  }

  /** A start creates the next log segment ahead of time if the current one is nearly full. */
  function removeLogAhead({ dataDir }: Stand): void {
    const log = path.join(dataDir, 'postgres/pg_wal');
    const segments = readdirSync(log).filter((name) => /^[0-9A-F]{24}$/.test(name));
    for (const ahead of segments.sort().slice(1)) rmSync(path.join(log, ahead));
  }

  const statusOf = async (at: string) => (await fetch(`${server?.url}${at}`)).status;

  it('ends the process within 2 s when the log needs space, and loses nothing acknowledged to 12 writers', async () => {
    const stood = await stand(12, MB / 4);
    const { env, fill, free, writers } = stood;
    server = await startServer({ env });
    const { url, process, exit } = server;
    removeLogAhead(stood);
    fill(2 * MB);
    let answeredAt = 0;
    const writing = writers.map((writer) =>
      writeUntilGone(
        url,
        writer,
        () => {
          answeredAt = performance.now();
        },
        503,
      ),
    );
    await once(process, 'exit');
    expect(performance.now() - answeredAt).toBeLessThan(2000);
    await Promise.all(writing);
    await expectEnd(exit, /ENOSPC.*Free some/);

    await expectEnd(startAndFail({ env }), /DATA_DIR .*\d MB.*32 MB.*Free some/);
    const audit = await runCommand('audit', env);
    expect([audit.code, audit.stderr]).toEqual([1, oneSentence(/DATA_DIR .*Free some/)]);
    free();
    await expectKept(env, writers);
  });

  it('keeps serving reads: writes get a retryable error, /readyz 503 until there is space', async () => {
    const { env, fill, free, writers } = await stand();
    const [writer] = writers as [Writer];
    server = await startServer({ env });
    const { url } = server;
    expect(await statusOf('/readyz')).toBe(200);
    fill(0);
    let status: number | null = 201;
    for (let n = 0; status === 201 && n < 500; n += 1) status = await write(url, writer);
    expect(status).toBe(503);
    await vi.waitFor(async () => expect(await statusOf('/readyz')).toBe(503), 5000);
    expect(await statusOf('/healthz')).toBe(200);
    await expectAllKept(url, writers);
    free();
    await vi.waitFor(async () => expect(await statusOf('/readyz')).toBe(200), 5000);
    expect(await write(url, writer)).toBe(201);
    await expectAllKept(url, writers);
    expect((await server.stop()).code).toBe(0);
    await expectWhole(env);
  });

  it('does not prevent a shutdown', async () => {
    const { env, fill, free, writers } = await stand();
    const [writer] = writers as [Writer];
    server = await startServer({ env });
    expect(await write(server.url, writer)).toBe(201);
    fill(0);
    const began = performance.now();
    await expectEnd(server.stop(), /ENOSPC.*Free some/);
    expect(performance.now() - began).toBeLessThan(8000);
    free();
    await expectKept(env, writers);
  });

  it('is told apart from a damaged database at start-up', async () => {
    const { env, dataDir, fill } = await stand();
    fill(20 * MB);
    const full = await startAndFail({ env });
    expect([full.code, full.stderr]).toEqual([1, oneSentence(/20 MB.*32 MB/)]);
    expect(full.stderr).not.toMatch(/backup/);
    fill(60 * MB);
    rmSync(path.join(dataDir, 'postgres/global/pg_control'));
    const damaged = await startAndFail({ env });
    expect([damaged.code, damaged.stderr]).toEqual([1, oneSentence(/Restore it from a backup/)]);
  });
});

it('the log is checkpointed while the server runs, so it does not fill the disk', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const database = await openEmbedded(freshFolder());
  const checkpointed = sql<string>`(select checkpoint_lsn::text from pg_control_checkpoint())`;
  const before = await selectScalar(database.db, checkpointed);
  vi.advanceTimersByTime(5 * 60_000);
  // PGlite answers in order, so this runs after the checkpoint.
  expect(await selectScalar(database.db, checkpointed)).not.toBe(before);
  await database.close();
  vi.useRealTimers();
});
