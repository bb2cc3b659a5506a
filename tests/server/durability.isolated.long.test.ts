/** Durability of the embedded database; the reasons are in server/database/durable-node-fs. */
import {
  fdatasyncSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openEmbedded } from '#server/database/pglite.ts';
import { serverSettings } from '#server/database/schema.ts';

// The real fdatasync, observed: PGlite's own code does not go through this mock, so every call is
// ours.
vi.mock('node:fs', async (importOriginal) => {
  const real = await importOriginal<typeof import('node:fs')>();
  return { ...real, fdatasyncSync: vi.fn(real.fdatasyncSync) };
});
const flushCount = () => vi.mocked(fdatasyncSync).mock.calls.length;

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'kaya-data-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

describe('the embedded database', () => {
  it('flushes to disk at least once per commit', async () => {
    const { db, close } = await openEmbedded(dataDir);
    const commits = 50;
    const before = flushCount();
    for (let n = 0; n < commits; n += 1) {
      await db.insert(serverSettings).values({ name: `setting ${n}`, value: 'kept' });
    }
    const between = flushCount();
    await db.transaction(async (tx) => {
      for (let n = 0; n < 10; n += 1) {
        await tx.insert(serverSettings).values({ name: `together ${n}`, value: 'kept' });
      }
    });
    const after = flushCount();
    await close();
    expect(between - before).toBeGreaterThanOrEqual(commits);
    expect(after - between).toBeGreaterThanOrEqual(1);
    // A flush for every statement would mean there is no transaction.
    expect(after - between).toBeLessThan(10);
  });

  it('runs with fsync on', async () => {
    const { db, close } = await openEmbedded(dataDir);
    const setting = sql<string>`current_setting('fsync') || ' ' || current_setting('wal_sync_method')`;
    const rows = await db.select({ setting }).from(sql`(select 1) as one`);
    await close();
    expect(rows[0]?.setting).toBe('on fsync');
  });

  it('starts over after an interrupted creation', async () => {
    const unfinished = path.join(dataDir, 'postgres.new');
    mkdirSync(unfinished);
    writeFileSync(path.join(unfinished, 'PG_VERSION'), '18\n');
    const { db, close } = await openEmbedded(dataDir);
    expect(await db.select().from(serverSettings)).toEqual([]);
    await close();
    expect(readdirSync(dataDir).sort()).toEqual(['postgres', 'server.lock']);
  });

  it('never creates a database over one that lost its PG_VERSION', async () => {
    const first = await openEmbedded(dataDir);
    await first.db.insert(serverSettings).values({ name: 'kept', value: 'yes' });
    await first.close();
    const version = path.join(dataDir, 'postgres', 'PG_VERSION');
    const content = readFileSync(version);
    rmSync(version);
    await expect(openEmbedded(dataDir)).rejects.toThrow(/PG_VERSION is missing.*backup/);
    writeFileSync(version, content);
    const again = await openEmbedded(dataDir);
    expect(await again.db.select().from(serverSettings)).toEqual([{ name: 'kept', value: 'yes' }]);
    await again.close();
  });

  it.each([
    ['an empty folder', (place: string) => mkdirSync(place)],
    ['a file', (place: string) => writeFileSync(place, '')],
  ])('never creates a database where there is %s', async (_, put) => {
    put(path.join(dataDir, 'postgres'));
    await expect(openEmbedded(dataDir)).rejects.toThrow(/PG_VERSION is missing/);
    expect(readdirSync(dataDir).sort()).toEqual(['postgres', 'server.lock']);
  });

  it('reports a foreign folder in one sentence', async () => {
    mkdirSync(path.join(dataDir, 'postgres'));
    writeFileSync(path.join(dataDir, 'postgres', 'PG_VERSION'), 'not a version\n');
    await expect(openEmbedded(dataDir)).rejects.toMatchObject({
      name: 'StartupError',
      message: expect.stringMatching(/^The database in DATA_DIR \([^\n]+$/),
    });
  });
});
