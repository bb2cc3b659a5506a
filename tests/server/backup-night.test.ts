/** The nightly backup: what backup.sh deletes and keeps, and how it handles a full disk. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs, {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { saveBackup } from '#server/commands/backup/file.ts';
import { StartupError } from '#server/config/startup-error.ts';
import { fileStage } from './stage.ts';

const stage = fileStage();
let folder = '';
let backups = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kaya-night-'));
  backups = path.join(folder, 'backups');
  for (const each of ['server/deploy', 'dist/server', 'bin', 'backups/kaya-older.backup']) {
    mkdirSync(path.join(folder, each), { recursive: true });
  }
  copyFileSync('server/deploy/backup.sh', path.join(folder, 'server/deploy/backup.sh'));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

function place(name: string, days: number): void {
  const file = path.join(backups, name);
  writeFileSync(file, '');
  const then = Date.now() / 1000 - days * 86_400;
  utimesSync(file, then, then);
}

/** Runs it with a backup `days` old and an audit that exits with this code. */
async function night({ auditCode = 0, backupCode = 0, age = 0, keep = '30', PATH = '' } = {}) {
  const program = (name: string, text: string) =>
    writeFileSync(path.join(folder, 'dist/server', `${name}.js`), text);
  program(
    'backup',
    `const fs = require('node:fs');
    if (${backupCode}) process.exit(${backupCode});
    const [file] = process.argv.slice(2);
    fs.writeFileSync(file, 'new', { flag: 'wx' });
    fs.utimesSync(file, Date.now() / 1000 - ${age} * 86400, Date.now() / 1000 - ${age} * 86400);`,
  );
  program('audit', `process.stdout.write('audited'); process.exit(${auditCode});`);
  const child = spawn('/bin/sh', [path.join(folder, 'server/deploy/backup.sh')], {
    env: { PATH: `${PATH}${process.env.PATH}`, BACKUP_DIR: backups, BACKUP_DAYS: keep },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (text) => {
    stdout += text;
  });
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  const [code] = await once(child, 'close');
  return { code, stdout, stderr };
}

const made = /^kaya-\d{4}-\d\d-\d\dT\d{6}Z-\d+\.backup$/;
/** The files present, without tonight's backup. */
const left = () =>
  readdirSync(backups, { recursive: true })
    .map(String)
    .filter((name) => !made.test(name))
    .sort();
const madeTonight = () => readdirSync(backups).filter((name) => made.test(name));

const all = [
  ...['kaya-older.backup', 'kaya-older.backup/kaya-2.backup', 'kaya-older.backup/kaya-3.new'],
  ...['kaya-old.backup', 'kaya-old.new', 'kaya-young.backup', 'kaya-young.new', 'notes.backup'],
].sort();

describe('backup.sh', () => {
  beforeEach(() => {
    for (const name of ['kaya-old.backup', 'notes.backup', 'kaya-older.backup/kaya-2.backup']) {
      place(name, 40);
    }
    place('kaya-young.backup', 20);
    place('kaya-old.new', 3);
    place('kaya-older.backup/kaya-3.new', 3);
    place('kaya-young.new', 0.5);
    utimesSync(path.join(backups, 'kaya-older.backup'), 1, 1);
  });

  it('deletes expired backups, but nothing in subfolders and no foreign files', async () => {
    const { code, stdout, stderr } = await night();
    expect([code, stdout, stderr]).toEqual([0, 'audited', '']);
    expect(madeTonight()).toHaveLength(1);
    const gone = ['kaya-old.backup', 'kaya-old.new'];
    expect(left()).toEqual(all.filter((name) => !gone.includes(name)));
  });

  it("deletes nothing while the ledger is broken, and exits with the audit's code", async () => {
    expect((await night({ auditCode: 1 })).code).toBe(1);
    expect(madeTonight()).toHaveLength(1);
    expect(left()).toEqual(all);
  });

  it("deletes nothing if tonight's backup failed, and exits with its code", async () => {
    const { code, stdout } = await night({ backupCode: 1 });
    expect([code, stdout, madeTonight()]).toEqual([1, '', []]);
    expect(left()).toEqual(all);
  });

  it.each(['-1', '', '3 -o -true', 'thirty', '1.5'])('refuses to keep %j days', async (keep) => {
    const { code, stderr } = await night({ keep });
    expect(stderr).toMatch(/^BACKUP_DAYS must be a whole number of days [^\n]*\n$/);
    expect([code, madeTonight(), left()]).toEqual([1, [], all]);
  });

  it('keeps the newest backup even if a clock change makes it look expired', async () => {
    const { code } = await night({ age: 400, keep: '0' });
    expect([code, madeTonight().length]).toEqual([0, 1]);
  });

  it('makes two backups within one second', async () => {
    const date = path.join(folder, 'bin/date');
    writeFileSync(date, '#!/bin/sh\necho 2026-11-22T013000Z\n');
    chmodSync(date, 0o755);
    const PATH = `${path.join(folder, 'bin')}:`;
    const both = await Promise.all([night({ PATH }), night({ PATH })]);
    expect(both.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ]);
    expect(madeTonight()).toHaveLength(2);
  });
});

describe('a failing disk', () => {
  it.each(['ENOSPC', 'EIO', 'EDQUOT'])('is reported in one sentence: %s', async (code) => {
    const { database, now } = stage();
    const file = path.join(folder, 'kaya.backup');
    const refused: string[] = [];
    // The system reports an open file without its path.
    vi.spyOn(fs, 'write').mockImplementation(((...args: unknown[]) => {
      refused.push(code);
      const done = args.at(-1) as (error: Error) => void;
      process.nextTick(
        done,
        Object.assign(new Error(`${code}: write`), { code, syscall: 'write' }),
      );
    }) as typeof fs.write);
    const failure = await saveBackup(database.db, file, now()).catch((error: unknown) => error);
    expect(refused).not.toEqual([]);
    expect(failure).toBeInstanceOf(StartupError);
    expect(String(failure)).toContain(
      `${file} cannot be written (${code}). Choose a folder that exists and has room.`,
    );
    expect(existsSync(file)).toBe(false);
    expect(readdirSync(folder).filter((name) => name.endsWith('.new'))).toEqual([]);
  });
});
