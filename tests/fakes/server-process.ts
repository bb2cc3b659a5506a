/** The real server as a child process, from the shared build in dist/server, on a free port. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as after } from 'node:timers/promises';

const readyLine = /Kaya is ready at (\S+)/;
const readyMs = 150_000;

type Environment = Record<string, string | undefined>;

export interface Exit {
  /** Null if ended by a signal. */
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

interface Started {
  process: ChildProcess;
  stdout: () => string;
  exit: Promise<Exit>;
  /** Resolves with the address from the ready line; rejects if the process ends before it. */
  ready: Promise<string>;
}

/** Only the environment of a shell: settings of the test runner must not leak in. */
function environmentOf(env: Environment): Environment {
  const { PATH, HOME, TMPDIR } = process.env;
  return { PATH, HOME, TMPDIR, PORT: '0', RATE_LIMIT: 'off', LOG_LEVEL: 'warn', ...env };
}

/** Commands that run to completion. */
export type Command = 'audit' | 'pictures' | 'reconcile' | 'backup' | 'restore';

export interface Launch {
  /** Overrides the free port and RATE_LIMIT=off. */
  env?: Environment;
  /** The built entry; the server by default. */
  entry?: `${'main' | 'demo' | Command}.js`;
  /** Command-line arguments. */
  args?: string[];
  /** Time limit for becoming ready, ms. */
  patienceMs?: number;
  /** A long-lived server, which may spend time on optimizing. */
  isLongLived?: boolean;
  /** With an IPC channel to the module NODE_OPTIONS preloads. */
  hasChannel?: boolean;
}

/** A short-lived process does not profit from optimized WebAssembly: half its time. */
const brief = ['--liftoff-only'];

function launch({ env = {}, entry = 'main.js', args = [], ...how }: Launch): Started {
  const file = path.resolve('dist/server', entry);
  if (!existsSync(file)) throw new Error(`${file} is missing: run \`npm run build\` first.`);
  const child = spawn(process.execPath, [...(how.isLongLived ? [] : brief), file, ...args], {
    env: environmentOf(env),
    stdio: ['ignore', 'pipe', 'pipe', ...(how.hasChannel ? (['ipc'] as const) : [])],
  });
  let stdout = '';
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const exit = once(child, 'close').then(([code, signal]) => ({ code, signal, stdout, stderr }));
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      stdout += chunk;
      const url = readyLine.exec(stdout)?.[1];
      if (url) resolve(url);
    });
    void exit.then(({ code }) => reject(new Error(`The server ended with ${code}: ${stderr}`)));
  });
  ready.catch(() => undefined);
  return { process: child, stdout: () => stdout, exit, ready };
}

export interface ServerProcess {
  /** 'http://localhost:PORT', without a trailing slash. */
  url: string;
  process: ChildProcess;
  /** Output so far. */
  stdout(): string;
  exit: Promise<Exit>;
  /** SIGTERM; resolves once it has exited. */
  stop(): Promise<Exit>;
  /** SIGKILL; resolves once it is gone. */
  kill(): Promise<Exit>;
}

/** Starts a server and waits until it is ready. */
export async function startServer(what: Launch = {}): Promise<ServerProcess> {
  const started = launch(what);
  const patience = new AbortController();
  const { patienceMs = readyMs } = what;
  const tooSlow = after(patienceMs, undefined, { signal: patience.signal }).then(() => {
    started.process.kill('SIGKILL');
    throw new Error(`The server was not ready within ${patienceMs} ms.`);
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
    stdout: started.stdout,
    exit: started.exit,
    stop: end('SIGTERM'),
    kill: end('SIGKILL'),
  };
}

/** Starts a server that should fail, and waits for its exit. */
export function startAndFail(what: Launch = {}): Promise<Exit> {
  return launch(what).exit;
}

/** Runs a command to completion. */
export function runCommand(command: Command, env: Environment, ...args: string[]): Promise<Exit> {
  return launch({ entry: `${command}.js`, env, args }).exit;
}
