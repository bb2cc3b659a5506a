/** A test-controlled clock for a server process. */
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Launch, ServerProcess } from './server-process.ts';

/** Start options of a server with a movable clock. */
export function withMovableClock(env: Record<string, string>): Launch {
  const preload = pathToFileURL(path.resolve('tests/fakes/movable-clock.mjs')).href;
  const NODE_OPTIONS = `--import=${preload}`;
  return { env: { ...env, NODE_OPTIONS }, hasChannel: true, isLongLived: true };
}

/** Resolves once the server's clock is advanced; its phones' clocks stay. */
export async function moveClockOn({ process }: ServerProcess, ms: number): Promise<void> {
  const answered = once(process, 'message');
  process.send({ moveOnMs: ms });
  await answered;
}
