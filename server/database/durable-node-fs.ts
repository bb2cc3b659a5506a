/**
 * Invariants: what PostgreSQL considers flushed went through fdatasync; after an error PostgreSQL
 * cannot survive, it receives no further message.
 *
 * PGlite 0.5.16 starts with -F, its fdatasync does nothing and Emscripten's NODEFS has no fsync, so
 * a commit is acknowledged before it is on disk. Hence this file system gives NODEFS an fsync,
 * `durableStartParams` omits -F, and wal_sync_method=fsync avoids the stub.
 *
 * PostgreSQL ends its process on PANIC and FATAL. PGlite drops what its WebAssembly throws and
 * sends the next message, which spins forever or returns nonsense. So both words are read from
 * PostgreSQL's log, and calls into WebAssembly are guarded against everything except the longjmp of
 * an ordinary error (docs/decisions/0064-exit-on-panic.md).
 *
 * Both rely on PGlite's internals: its version is pinned, a test compares flushes with commits, and
 * others break the disk under a running server.
 */
import { fdatasyncSync, fstatSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

type Init = NodeFS['init'];

interface OpenStream {
  nfd?: number;
}

interface HostFiles {
  stream_ops: { fsync?: (stream: OpenStream) => number };
  /** Every disk call except fsync goes through this. */
  tryFSOperation<T>(call: () => T): T;
}

/** Not every system can flush folders; PostgreSQL ignores these too. */
const toleratedCodes: ReadonlySet<string> = new Set(['EISDIR', 'EINVAL', 'EPERM']);

/** Errors of the disk itself; others, such as a missing file, may be expected. */
const diskCodes: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS']);

/** A line of PostgreSQL's log. Continuation lines start with a tab, so values cannot match. */
const lastWords = /^\S+ \S+ \S+ \[\d+\] ((?:PANIC|FATAL): .+)/;

/** WASI's EIO. */
const eio = 29;

/** Status that PGlite throws from WebAssembly for an error PostgreSQL recovers from. */
const longjmpStatus = 100;
const guardedCalls = [
  '_PostgresMainLoopOnce',
  '_PostgresMainLongJmp',
  '_PostgresSendReadyForQueryIfNecessary',
] as const;

export const durableStartParams = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  '-c',
  'wal_sync_method=fsync',
];

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

const isLongjmp = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  'status' in error &&
  error.status === longjmpStatus;

export class DurableNodeFS extends NodeFS {
  /** Code of the last disk error: since the start, later during the current message. */
  refused: string | undefined;
  readonly #onEnd: (words: string) => void;

  /** `onEnd` is called for an error PostgreSQL cannot survive, before its next message. */
  constructor(folder: string, onEnd: (words: string) => void) {
    super(folder);
    this.#onEnd = onEnd;
  }

  #watch<T>(call: () => T): T {
    try {
      return call();
    } catch (error) {
      const code = codeOf(error);
      if (diskCodes.has(code)) this.refused = code;
      throw error;
    }
  }

  #flush({ nfd }: OpenStream): number {
    if (nfd === undefined) return 0;
    try {
      this.#watch(() => fdatasyncSync(nfd));
    } catch (error) {
      // Anything else must reach PostgreSQL as a failed flush, which makes it stop.
      if (!toleratedCodes.has(codeOf(error)) || !fstatSync(nfd).isDirectory()) return eio;
    }
    return 0;
  }

  override async init(...[pg, options]: Parameters<Init>): ReturnType<Init> {
    const { emscriptenOpts } = await super.init(pg, options);
    return {
      emscriptenOpts: {
        ...emscriptenOpts,
        printErr: (line: string) => {
          const [, words] = lastWords.exec(line) ?? [];
          if (words) this.#onEnd(words);
        },
        preRun: [
          ...(emscriptenOpts.preRun ?? []),
          (mod) => {
            const files = mod.NODEFS as unknown as HostFiles;
            const { tryFSOperation } = files;
            files.stream_ops.fsync = (stream) => this.#flush(stream);
            files.tryFSOperation = (call) => tryFSOperation(() => this.#watch(call));
          },
        ],
      },
    };
  }

  /** From here on, exceptions out of WebAssembly are reported too. */
  guard({ Module }: PGlite): void {
    for (const name of guardedCalls) {
      const call = Module[name];
      Module[name] = () => {
        this.refused = undefined;
        try {
          call();
        } catch (error) {
          if (!isLongjmp(error)) this.#onEnd(String(error));
          throw error;
        }
      };
    }
  }
}
