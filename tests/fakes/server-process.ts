/**
 * The real server as a process of its own, from dist/server/main.js (built where it is missing or
 * older than its sources), on a free port.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as after } from 'node:timers/promises';

const entry = path.resolve('dist/server/main.js');
const sources = ['server', 'src/contract', 'src/domain'].map((room) => path.resolve(room));
const readyLine = /Kaya is ready at (\S+)/;
const readyMs = 30_000;

function newestMs(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((file) => file.isFile() && file.name.endsWith('.ts'))
    .reduce((newest, file) => {
      const { mtimeMs } = statSync(path.join(file.parentPath, file.name));
      return Math.max(newest, mtimeMs);
    }, 0);
}

/** Builds the server unless what is built is newer than every source. */
export function buildServerIfStale(): void {
  if (existsSync(entry) && sources.every((room) => newestMs(room) < statSync(entry).mtimeMs))
    return;
  const vite = path.resolve('node_modules/vite/bin/vite.js');
  execFileSync(process.execPath, [vite, 'build', '--ssr', '--logLevel', 'warn'], { stdio: 'pipe' });
}

type Environment = Record<string, string | undefined>;

export interface Exit {
  /** Null where a signal ended it. */
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

interface Started {
  process: ChildProcess;
  exit: Promise<Exit>;
  /** Resolves with the address of the ready line; rejects where the process ends before it. */
  ready: Promise<string>;
}

/** Only what a person's shell would hand on: settings of the test runner must not leak in. */
function environmentOf(env: Environment): Environment {
  const { PATH, HOME, TMPDIR } = process.env;
  return { PATH, HOME, TMPDIR, PORT: '0', RATE_LIMIT: 'off', LOG_LEVEL: 'warn', ...env };
}

function launch(env: Environment): Started {
  buildServerIfStale();
  const child = spawn(process.execPath, [entry], {
    env: environmentOf(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const exit = once(child, 'close').then(([code, signal]) => ({ code, signal, stdout, stderr }));
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
      const url = readyLine.exec(stdout)?.[1];
      if (url) resolve(url);
    });
    void exit.then(({ code }) => reject(new Error(`The server ended with ${code}: ${stderr}`)));
  });
  ready.catch(() => undefined);
  return { process: child, exit, ready };
}

export interface ServerProcess {
  /** 'http://localhost:PORT', without a slash at its end. */
  url: string;
  process: ChildProcess;
  exit: Promise<Exit>;
  /** SIGTERM; resolves once it has ended by itself. */
  stop(): Promise<Exit>;
  /** SIGKILL; resolves once it is gone. */
  kill(): Promise<Exit>;
}

/** Starts a server and waits until it is ready. `env` goes over a free port and RATE_LIMIT=off. */
export async function startServer({
  env = {},
}: {
  env?: Environment;
} = {}): Promise<ServerProcess> {
  const started = launch(env);
  const patience = new AbortController();
  const tooSlow = after(readyMs, undefined, { signal: patience.signal }).then(() => {
    started.process.kill('SIGKILL');
    throw new Error(`The server was not ready within ${readyMs} ms.`);
  });
  tooSlow.catch(() => undefined);
  const url = await Promise.race([started.ready, tooSlow]).finally(() => patience.abort());
  const end = (signal: NodeJS.Signals) => () => {
    started.process.kill(signal);
    return started.exit;
  };
  return {
    url,
    process: started.process,
    exit: started.exit,
    stop: end('SIGTERM'),
    kill: end('SIGKILL'),
  };
}

/** Starts a server that is expected to give up, and waits for its end. */
export function startAndFail({ env = {} }: { env?: Environment } = {}): Promise<Exit> {
  return launch(env).exit;
}
