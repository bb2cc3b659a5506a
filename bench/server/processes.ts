/** The product and the bare server, each in its own process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import type { BareSettings } from './plan.ts';

export interface Running {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

interface Command {
  entry: string;
  env: Record<string, string>;
  readyLine: RegExp;
  logFile: string;
  stdin?: string;
}

/** Resolves once it has said that it is ready. */
export async function start({
  entry,
  env,
  readyLine,
  logFile,
  stdin = '',
}: Command): Promise<Running> {
  const { PATH, HOME } = process.env;
  const log = openSync(logFile, 'a');
  const child = spawn(process.execPath, [`dist/${entry}`], {
    env: { PATH, HOME, ...env },
    stdio: ['pipe', 'pipe', log],
  });
  const end = once(child, 'exit');
  child.stdin?.end(stdin);
  let said = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      said += chunk;
      const found = readyLine.exec(said)?.[1];
      if (found) resolve(found);
    });
    void end.then(() => reject(new Error(`dist/${entry} did not start: see ${logFile}`)));
  });
  const stop = async () => {
    child.kill('SIGTERM');
    await end;
  };
  return { url: url.replace('localhost', '127.0.0.1'), pid: child.pid ?? 0, stop };
}

export interface Place {
  /** DATABASE_URL or DATA_DIR. */
  env: Record<string, string>;
  database: string;
}

const most = '999999999';
/** Limits for few people who make many requests, and couriers who accept everything. */
const unlimited = { CALLS_PER_MINUTE: most, ACCEPTS_PER_HOUR: most, MAX_CARRIED: most };

/** As deployed: behind a proxy, with limits, logging to a file. `settings`: further ones. */
export function startProduct(
  { env }: Place,
  secret: string,
  logFile: string,
  settings: Record<string, string> = unlimited,
): Promise<Running> {
  return start({
    entry: 'server/main.js',
    env: {
      ...env,
      NODE_ENV: 'production',
      PORT: '0',
      PAYMENTS: 'sandbox',
      JWT_SECRET: secret,
      TRUST_PROXY: '127.0.0.1',
      PUBLIC_URL: 'http://localhost',
      ...settings,
    },
    readyLine: /Kaya is ready at (\S+)/,
    logFile,
  });
}

export function startBare(settings: BareSettings, logFile: string): Promise<Running> {
  return start({
    entry: 'bench/bare.js',
    env: { NODE_ENV: 'production' },
    readyLine: /ready at (\S+)/,
    logFile,
    stdin: JSON.stringify(settings),
  });
}
