/**
 * GET /api/events: 'something you can see has changed', and with `rows` what (contract/stream). A
 * stream ends with its session, access token or server; the client then reconnects.
 */
import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Area } from '#contract/area.ts';
import {
  changeEvent,
  eventsPath,
  eventsQuerySchema,
  type Hello,
  helloEvent,
} from '#contract/stream.ts';
import { areaFor } from '#domain/area.ts';
import type { Actor } from '#domain/policy.ts';
import type { TimeLimits } from '#server/config/timeouts.ts';
import type { OpenDatabase } from '#server/database/database.ts';
import { parseFields } from '#server/http/contract-routes.ts';
import { Refusal } from '#server/http/refusal.ts';
import { answerInTime } from '#server/plugins/answer-timeout.ts';
import type { Authenticate } from '#server/plugins/authentication.ts';
import { errorForLog } from '#server/plugins/request-log.ts';
import { createFeed, type RowStream } from './feed.ts';
import { createHub, type Stream } from './hub.ts';
import { channel, type Notification, readNotification } from './notification.ts';

const retryMs = 5000;

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  // No proxy may buffer or cache events.
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
  // A kept-alive connection would delay a shutdown.
  connection: 'close',
};

/** Invariant: this process buffers at most this and one event for a slow reader. */
const backlogBytes = { plain: 16 * 1024, rows: 256 * 1024 };

/** Writes, or disconnects a reader whose backlog is too large; it reconnects and pulls. */
function writeOrCut(response: ServerResponse, hasRows: boolean, bytes: string | Buffer): void {
  if (response.destroyed || response.writableEnded) return;
  if (response.writableLength > backlogBytes[hasRows ? 'rows' : 'plain']) response.destroy();
  else response.write(bytes);
}

const helloText = ({ at }: Hello) =>
  `event: ${helloEvent}\ndata: ${JSON.stringify({ at } satisfies Hello)}\n\n`;

interface Needs {
  app: FastifyInstance;
  database: OpenDatabase;
  authenticate: Authenticate;
  times: Pick<TimeLimits, 'heartbeatMs' | 'answerMs'>;
}

/** Resolves with what /metrics reads of this process's streams. */
export async function addEvents(needs: Needs) {
  const { app, database, authenticate, times } = needs;
  const warn = (error: unknown, words: string) => {
    if (error instanceof Error) app.log.warn({ err: errorForLog(error) }, words);
  };
  const hub = createHub();
  const feed = createFeed({
    db: database.db,
    onFailure: (error) => warn(error, 'cannot read what changed for the event streams'),
  });
  const hear = (notification: Notification | null) => {
    hub.hear(notification);
    feed.hear(notification);
  };
  const stopListening = await database.listen(channel, {
    onMessage: (payload) => hear(readNotification(payload)),
    onGap: () => hear(null),
  });
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
    hub.endAll();
  });
  app.addHook('onClose', async () => {
    await stopListening();
    await feed.stop();
  });

  /**
   * Sends a heartbeat, or ends the stream if its session is over. The role may have changed; for
   * rows the feed decides, between two batches.
   */
  const sendHeartbeat = async (
    request: FastifyRequest,
    response: ServerResponse,
    stream: Stream,
  ) => {
    try {
      const { actor } = await answerInTime(times.answerMs, () => authenticate(request));
      if (!stream.hasRows) stream.role = actor.role;
      writeOrCut(response, stream.hasRows, ':\n\n');
    } catch (error) {
      const isTheirs = error instanceof Refusal && error.code !== 'unavailable';
      if (!isTheirs) warn(error, 'cannot check the session of an event stream');
      stream.end();
    }
  };

  /** Opens a stream in this turn, one that carries rows when the feed lets it enter. */
  const open = (
    request: FastifyRequest,
    reply: FastifyReply,
    { actor, area }: { actor: Actor; area?: Area | undefined },
    hasRows: boolean,
  ) => {
    // Too late: refused by the time limit.
    if (reply.sent) return;
    reply.hijack();
    const response = reply.raw;
    const stream: RowStream = {
      userId: actor.id,
      role: actor.role,
      hasRows,
      asked: area,
      area: areaFor(actor, area),
      at: '',
      send: (bytes) => writeOrCut(response, hasRows, bytes),
      tell: () => writeOrCut(response, hasRows, `event: ${changeEvent}\ndata: {}\n\n`),
      end: () => {
        leave();
        response.end();
      },
    };
    const leaveHub = hub.add(stream);
    const leaveFeed = hasRows ? feed.add(stream) : undefined;
    const heartbeat = setInterval(
      () => void sendHeartbeat(request, response, stream),
      times.heartbeatMs,
    );
    const leave = () => {
      clearInterval(heartbeat);
      leaveHub();
      leaveFeed?.();
    };
    response.on('close', leave);
    response.on('error', leave);
    // Closed before the listener was added.
    if (response.destroyed) leave();
    response.writeHead(200, { ...reply.getHeaders(), ...streamHeaders } as Record<string, string>);
    response.write(`retry: ${retryMs}\n:\n\n${hasRows ? helloText(stream) : ''}`);
  };

  app.get(eventsPath, { exposeHeadRoute: false }, async (request, reply) => {
    const ask = async () => {
      const { actor } = await authenticate(request);
      if (isClosing) throw new Refusal('unavailable', { retryAfterSeconds: 5 });
      return { actor, ...parseFields(eventsQuerySchema, request.query) };
    };
    const hasRows = typeof request.query === 'object' && 'rows' in (request.query ?? {});
    if (hasRows) await feed.join(ask, (about) => open(request, reply, about, true));
    else open(request, reply, await ask(), false);
  });

  return { open: hub.size, sent: feed.counts };
}
