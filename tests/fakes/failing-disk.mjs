// @ts-check
// Preloaded into a server on the embedded database (node --import): a failing disk. A message, or
// FIRST_FAULT, names the next call to fail and its code: a flush, or a write of PostgreSQL's log.
// Without a code it throws a non-disk error, like an engine fault. FAKE_ROOM names a file with the
// free space in bytes, for where no small disk can be mounted; without the file there is no limit.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** @typedef {(...args: any[]) => any} Call */
/** @typedef {{ call: 'fdatasyncSync' | 'writeSync', code?: string }} Fault */

const { existsSync, fstatSync, readFileSync, writeFileSync } = fs;
const { FAKE_ROOM, FIRST_FAULT } = process.env;
/** @type {Fault | null} */
let next = FIRST_FAULT ? JSON.parse(FIRST_FAULT) : null;
/** Open files of the log. @type {Set<number>} */
const logFiles = new Set();

/** @param {string} code */
const failure = (code) => Object.assign(new Error(`${code}: the disk failed`), { code });

/** @param {number} fd @param {number} end */
function takeRoom(fd, end) {
  if (!FAKE_ROOM || !existsSync(FAKE_ROOM)) return;
  const growth = end - fstatSync(fd).size;
  if (growth <= 0) return;
  const left = Number(readFileSync(FAKE_ROOM, 'utf8')) - growth;
  if (left < 0) throw failure('ENOSPC');
  writeFileSync(FAKE_ROOM, String(left));
}

/** @param {any} found */
const withFakeRoom = (found) =>
  FAKE_ROOM && existsSync(FAKE_ROOM)
    ? { ...found, bavail: Math.floor(Number(readFileSync(FAKE_ROOM, 'utf8')) / found.bsize) }
    : found;

/** @param {Fault['call']} call */
function failWhereAsked(call) {
  if (next?.call !== call) return;
  const { code } = next;
  next = null;
  throw code === undefined ? new RangeError('Maximum call stack size exceeded') : failure(code);
}

const { fdatasyncSync, openSync, statfsSync, writeSync } = /** @type {Record<string, Call>} */ (
  /** @type {unknown} */ (fs)
);
const { statfs } = fs.promises;
Object.assign(fs, {
  /** @type {Call} */
  fdatasyncSync: (...args) => {
    failWhereAsked('fdatasyncSync');
    return fdatasyncSync?.(...args);
  },
  /** @type {Call} */
  openSync: (file, ...args) => {
    const fd = openSync?.(file, ...args);
    if (String(file).includes('/pg_wal/')) logFiles.add(fd);
    else logFiles.delete(fd);
    return fd;
  },
  /** @type {Call} */
  writeSync: (fd, buffer, offset, length, position) => {
    if (logFiles.has(fd)) failWhereAsked('writeSync');
    if (typeof position === 'number') takeRoom(fd, position + length);
    return writeSync?.(fd, buffer, offset, length, position);
  },
  /** @type {Call} */
  statfsSync: (...args) => withFakeRoom(statfsSync?.(...args)),
});
fs.promises.statfs = /** @type {typeof statfs} */ (
  async (/** @type {any} */ ...args) => withFakeRoom(await statfs(.../** @type {[any]} */ (args)))
);
syncBuiltinESMExports();

process.on('message', (fault) => {
  next = /** @type {Fault} */ (fault);
  process.send?.('armed');
});
// Do not keep the process alive.
process.channel?.unref();
