/**
 * One channel of a PostgreSQL, heard on a connection of its own (a pooled one would hear on behalf
 * of whoever holds it). Invariant: whoever listens is told of every time it could not hear.
 *
 *   connecting ──▶ hearing ──(error, end, no answer to a heartbeat)──▶ waiting ──▶ connecting …
 *                     └ onGap, on every entry but the first
 */
import pg from 'pg';
import type { Listener } from './database.ts';

const firstWaitMs = 200;
const longestWaitMs = 5_000;
/** A network that swallows everything says nothing: only a question unanswered shows it. */
const heartbeatMs = 20_000;
const heartbeatAnswerMs = 10_000;

/** Full jitter, so that many servers do not come back at one moment. */
function waitMs(failures: number): number {
  return Math.random() * Math.min(longestWaitMs, firstWaitMs * 2 ** failures);
}

/**
 * Resolves once it hears, or once the first try has failed and the next ones are under way. The
 * answer ends it.
 */
export async function listenOn(
  connection: pg.ClientConfig,
  channel: string,
  { onMessage, onGap }: Listener,
): Promise<() => Promise<void>> {
  let client: pg.Client | undefined;
  let isStopped = false;
  let isFirst = true;
  let failures = 0;
  let waiting: NodeJS.Timeout | undefined;
  let heartbeat: NodeJS.Timeout | undefined;

  const lose = (lost: pg.Client) => {
    if (lost !== client) return;
    client = undefined;
    clearInterval(heartbeat);
    void lost.end().catch(() => undefined);
    if (isStopped) return;
    waiting = setTimeout(connect, waitMs(failures));
    failures += 1;
  };

  const connect = async (): Promise<void> => {
    const next = new pg.Client({ ...connection, query_timeout: heartbeatAnswerMs });
    client = next;
    next.on('error', () => lose(next));
    next.on('end', () => lose(next));
    next.on('notification', ({ payload = '' }) => onMessage(payload));
    try {
      await next.connect();
      await next.query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch {
      isFirst = false;
      lose(next);
      return;
    }
    if (client !== next) return;
    failures = 0;
    heartbeat = setInterval(() => next.query('select 1').catch(() => lose(next)), heartbeatMs);
    heartbeat.unref();
    if (!isFirst) onGap();
    isFirst = false;
  };

  await connect();
  return async () => {
    isStopped = true;
    clearTimeout(waiting);
    clearInterval(heartbeat);
    const last = client;
    client = undefined;
    await last?.end().catch(() => undefined);
  };
}
