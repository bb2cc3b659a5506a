/** The clock of a server's process, which a test can move on. */
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Launch, ServerProcess } from './server-process.ts';

/** How to start a server whose clock can be moved. */
export function withMovableClock(env: Record<string, string>): Launch {
  const preload = pathToFileURL(path.resolve('tests/fakes/movable-clock.mjs')).href;
  const NODE_OPTIONS = `--import=${preload}`;
  return { env: { ...env, NODE_OPTIONS }, hasChannel: true, isLongLived: true };
}

/** Resolves once the server lives so much later; its phones' clocks stay where they are. */
export async function moveClockOn({ process }: ServerProcess, ms: number): Promise<void> {
  const answered = once(process, 'message');
  process.send({ moveOnMs: ms });
  await answered;
}
