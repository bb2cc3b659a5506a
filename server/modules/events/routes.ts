/**
 * GET /api/events: 'something you can see has changed', and with `rows` the changed rows
 * (contract/stream). A stream ends with its session, access token or server; the client reconnects.
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
import type { Actor } from '#domain/policy.ts';
import { areaFor } from '#domain/within-area.ts';
import type { TimeLimits } from '#server/config/timeouts.ts';
import type { OpenDatabase } from '#server/database/database.ts';
import { parseFields } from '#server/http/contract-routes.ts';
import { beginStream, hasConnection, heartbeat, writeOrCut } from '#server/http/event-stream.ts';
import { Refusal } from '#server/http/refusal.ts';
import { answerInTime } from '#server/plugins/answer-timeout.ts';
import type { Authenticate } from '#server/plugins/authentication.ts';
import { errorForLog } from '#server/plugins/request-log.ts';
import { createFeed, type RowStream } from './feed.ts';
import { createHub, type Stream } from './hub.ts';
import { channel, type Notification, readNotification } from './notification.ts';

/** For a slow reader (http/event-stream). */
const backlogOf = (hasRows: boolean) => (hasRows ? 256 : 16) * 1024;

const helloText = ({ at }: Hello) =>
  `event: ${helloEvent}\ndata: ${JSON.stringify({ at } satisfies Hello)}\n\n`;

interface Needs {
  app: FastifyInstance;
  database: OpenDatabase;
  authenticate: Authenticate;
  times: Pick<TimeLimits, 'heartbeatMs' | 'answerMs'>;
  /** Another listener in this process; null: notifications may be lost. */
  alsoHear?(notification: Notification | null): void;
}

/** Resolves with the figures of this process's streams for /metrics. */
export async function addEvents(needs: Needs) {
  const { app, database, authenticate, times, alsoHear } = needs;
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
    alsoHear?.(notification);
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
      writeOrCut(response, backlogOf(stream.hasRows), heartbeat);
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
    const backlog = backlogOf(hasRows);
    const stream: RowStream = {
      userId: actor.id,
      role: actor.role,
      hasRows,
      asked: area,
      area: areaFor(actor, area),
      at: '',
      send: (bytes) => writeOrCut(response, backlog, bytes),
      tell: () => writeOrCut(response, backlog, `event: ${changeEvent}\ndata: {}\n\n`),
      end: () => {
        leave();
        response.end();
      },
    };
    const leaveHub = hub.add(stream);
    const leaveFeed = hasRows ? feed.add(stream) : undefined;
    const beating = setInterval(
      () => void sendHeartbeat(request, response, stream),
      times.heartbeatMs,
    );
    const leave = () => {
      clearInterval(beating);
      leaveHub();
      leaveFeed?.();
    };
    response.on('close', leave);
    response.on('error', leave);
    // Closed before the listener was added.
    if (response.destroyed) leave();
    beginStream(reply, hasRows ? helloText(stream) : '');
  };

  app.get(eventsPath, { exposeHeadRoute: false }, async (request, reply) => {
    const ask = async () => {
      const { actor } = await authenticate(request);
      if (isClosing || !hasConnection(reply)) {
        throw new Refusal('unavailable', { retryAfterSeconds: 5 });
      }
      return { actor, ...parseFields(eventsQuerySchema, request.query) };
    };
    const hasRows = typeof request.query === 'object' && 'rows' in (request.query ?? {});
    if (hasRows) await feed.join(ask, (about) => open(request, reply, about, true));
    else open(request, reply, await ask(), false);
  });

  return { open: hub.size, sent: feed.counts };
}
