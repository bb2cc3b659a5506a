/**
 * The real server as a process of its own, from the one build in dist/server, on a free port.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as after } from 'node:timers/promises';

const readyLine = /Kaya is ready at (\S+)/;
const readyMs = 60_000;

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
  stdout: () => string;
  exit: Promise<Exit>;
  /** Resolves with the address of the ready line; rejects where the process ends before it. */
  ready: Promise<string>;
}

/** Only what a person's shell would hand on: settings of the test runner must not leak in. */
function environmentOf(env: Environment): Environment {
  const { PATH, HOME, TMPDIR } = process.env;
  return { PATH, HOME, TMPDIR, PORT: '0', RATE_LIMIT: 'off', LOG_LEVEL: 'warn', ...env };
}

/** Those that do one thing and end. */
export type Command = 'audit' | 'reconcile' | 'backup' | 'restore';

export interface Launch {
  /** Goes over a free port and RATE_LIMIT=off. */
  env?: Environment;
  /** Which of the built entries; the server itself where it is not said. */
  entry?: `${'main' | 'demo' | Command}.js`;
  /** What stands behind it on the command line. */
  args?: string[];
  /** How long it may take until it is ready, ms. */
  patienceMs?: number;
  /** It serves many people for minutes, and may take its time to become fast. */
  isLongLived?: boolean;
  /** With a channel to send messages on, to what NODE_OPTIONS loads into it. */
  hasChannel?: boolean;
}

/** A process that is gone in seconds has nothing of WebAssembly that is compiled to run fast: half its time. */
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
  /** 'http://localhost:PORT', without a slash at its end. */
  url: string;
  process: ChildProcess;
  /** What it has printed so far. */
  stdout(): string;
  exit: Promise<Exit>;
  /** SIGTERM; resolves once it has ended by itself. */
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

/** Starts a server that is expected to give up, and waits for its end. */
export function startAndFail(what: Launch = {}): Promise<Exit> {
  return launch(what).exit;
}

/** Runs a command to its end. */
export function runCommand(command: Command, env: Environment, ...args: string[]): Promise<Exit> {
  return launch({ entry: `${command}.js`, env, args }).exit;
}
