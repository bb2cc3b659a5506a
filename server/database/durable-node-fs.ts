/**
 * Invariant: what PostgreSQL calls flushed has been through fdatasync.
 *
 * PGlite 0.5.16 starts with -F, its fdatasync does nothing and Emscripten's NODEFS has no fsync at
 * all, so a commit is acknowledged before it is on disk (DESIGN.md section 8). Three things undo
 * that: this file system gives NODEFS an fsync, `durableStartParams` leaves -F out, and
 * wal_sync_method=fsync calls fsync rather than the stub. This leans on PGlite's inside: its
 * version is pinned, and a test counts that there are at least as many flushes as commits.
 */
import { fdatasyncSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

type Init = NodeFS['init'];

interface OpenStream {
  /** Node's file descriptor; NODEFS puts it there. */
  nfd?: number;
}

/** Folders cannot be flushed everywhere; PostgreSQL itself lets that pass. */
const toleratedCodes: ReadonlySet<string> = new Set(['EISDIR', 'EINVAL', 'EPERM']);

export const durableStartParams = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  '-c',
  'wal_sync_method=fsync',
];

export class DurableNodeFS extends NodeFS {
  private flush(stream: OpenStream): number {
    if (stream.nfd === undefined) return 0;
    try {
      fdatasyncSync(stream.nfd);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      // Anything else must reach PostgreSQL as a failed flush, which makes it stop.
      if (!toleratedCodes.has(code)) return eio;
    }
    return 0;
  }

  override async init(...args: Parameters<Init>): ReturnType<Init> {
    const { emscriptenOpts } = await super.init(...args);
    return {
      emscriptenOpts: {
        ...emscriptenOpts,
        preRun: [
          ...(emscriptenOpts.preRun ?? []),
          (mod) => {
            const operations: { fsync?: (stream: OpenStream) => number } = mod.NODEFS.stream_ops;
            operations.fsync = (stream) => this.flush(stream);
          },
        ],
      },
    };
  }
}

/** WASI's number for an input/output error. */
const eio = 29;
