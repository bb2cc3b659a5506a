/**
 * Listens to one channel of a PostgreSQL, on its own connection (a pooled one changes its user).
 * Invariant: every period without a connection is reported by `onGap`.
 *
 *   connecting ──▶ listening ──(error, end, heartbeat unanswered)──▶ waiting ──▶ connecting …
 *                     └ onGap, on every entry but the first
 */
import pg from 'pg';
import type { Listener } from './database.ts';

const firstWaitMs = 200;
const longestWaitMs = 5_000;
/** A dead network reports nothing: only an unanswered query reveals it. */
const heartbeatMs = 20_000;
const heartbeatAnswerMs = 10_000;

/** Full jitter, so that many servers do not reconnect at the same moment. */
function waitMs(failures: number): number {
  return Math.random() * Math.min(longestWaitMs, firstWaitMs * 2 ** failures);
}

/** Resolves, with a function that stops it, once listening or once the first retry is scheduled. */
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
    // Last: a message is judged with those before it, some of which are missing until `onGap`.
    next.on('notification', ({ payload = '' }) => onMessage(payload));
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
