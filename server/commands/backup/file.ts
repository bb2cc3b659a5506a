/** Backup files: readable by their owner only; complete or absent. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import * as v from 'valibot';
import { StartupError } from '#server/config/startup-error.ts';
import type { Database } from '#server/database/database.ts';
import { codeOf } from '#server/database/database-failure.ts';
import { dump } from './dump.ts';
import { type BackupHeader, headerSchema } from './format.ts';

async function flush(place: string): Promise<void> {
  const handle = await open(place, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const diskCodes: ReadonlySet<string> = new Set(['ENOSPC', 'EIO', 'EDQUOT', 'EFBIG']);

function unwritable(file: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  // Writing to an open file fails without a path.
  if (!('path' in error || ('code' in error && diskCodes.has(String(error.code))))) return error;
  return new StartupError(
    `${file} cannot be written (${codeOf(error)}). Choose a folder that exists and has room.`,
  );
}

/** Creates a file under a unique name, mode 0600; `saveBackup` renames it once complete. */
function openNew(file: string): { place: string; fd: number } {
  const place = `${file}.${randomUUID()}.new`;
  try {
    return { place, fd: openSync(place, 'wx', 0o600) };
  } catch (error) {
    throw unwritable(file, error);
  }
}

function requireNew(file: string): void {
  if (!existsSync(file)) return;
  throw new StartupError(`${file} is there already. Give the backup another name.`);
}

/** Writes a backup to `file`, which must not exist. Resolves with rows per table. */
export async function saveBackup(
  db: Database,
  file: string,
  now: Date,
): Promise<Record<string, number>> {
  requireNew(file);
  const { place: unfinished, fd } = openNew(file);
  const gzip = createGzip();
  const target = gzip.pipe(createWriteStream(unfinished, { fd }));
  const written = finished(target);
  written.catch(() => undefined);
  try {
    const write = async (line: string) => {
      if (!gzip.write(`${line}\n`)) await Promise.race([once(gzip, 'drain'), written]);
    };
    const counts = await dump(db, now, write);
    gzip.end();
    await written;
    await flush(unfinished);
    // Another backup may have finished first.
    requireNew(file);
    renameSync(unfinished, file);
    if (process.platform !== 'win32') await flush(path.dirname(path.resolve(file)));
    return counts;
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw unwritable(file, error);
  }
}

/** `lines` are those after the header; they can be read once. */
export interface OpenBackup {
  header: BackupHeader;
  lines: AsyncGenerator<string>;
}

async function* linesOf(file: string): AsyncGenerator<string> {
  const text = createGunzip().setEncoding('utf8');
  // Errors surface in the loop below, which reads the pipeline's end.
  pipeline(createReadStream(file), text, () => undefined);
  let rest = '';
  try {
    for await (const chunk of text) {
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } catch (error) {
    throw new StartupError(
      existsSync(file)
        ? `${file} is no backup of this program, or a damaged one (${codeOf(error)}). Use another one; nothing was restored.`
        : `${file} is not there. Give the path of a backup.`,
    );
  }
  if (rest !== '') yield rest;
}

/** Opens `file` and reads its header. Throws StartupError if it is not a backup. */
export async function openBackup(file: string): Promise<OpenBackup> {
  const lines = linesOf(file);
  const first = await lines.next();
  const header = v.safeParse(v.pipe(v.string(), v.parseJson(), headerSchema), first.value);
  if (header.success) return { header: header.output, lines };
  throw new StartupError(`${file} is no backup of this program. Give the path of one.`);
}

/** Throws StartupError unless `file` starts like a backup. */
export async function requireBackup(file: string): Promise<void> {
  const { lines } = await openBackup(file);
  await lines.return(undefined);
}
