/**
 * GET /api/events: 'something you can see has changed'. A stream ends with its session, access
 * token or server; the client then reconnects.
 */
import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { changeEvent, eventsPath } from '#contract/stream.ts';
import type { TimeLimits } from '#server/config/timeouts.ts';
import type { OpenDatabase } from '#server/database/database.ts';
import { Refusal } from '#server/http/refusal.ts';
import { answerInTime } from '#server/plugins/answer-timeout.ts';
import type { Authenticate } from '#server/plugins/authentication.ts';
import { errorForLog } from '#server/plugins/request-log.ts';
import { createHub, type Stream } from './hub.ts';

const channel = 'kaya_changes';
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
const backlogBytes = 16 * 1024;

/** Writes, or disconnects a reader whose backlog is too large; it reconnects and pulls. */
function writeOrCut(response: ServerResponse, text: string): void {
  if (response.destroyed || response.writableEnded) return;
  if (response.writableLength > backlogBytes) response.destroy();
  else response.write(text);
}

interface Needs {
  app: FastifyInstance;
  database: OpenDatabase;
  authenticate: Authenticate;
  times: Pick<TimeLimits, 'heartbeatMs' | 'answerMs'>;
}

/** Resolves with a function that counts the open streams of this process. */
export async function addEvents(needs: Needs): Promise<() => number> {
  const { app, database, authenticate, times } = needs;
  const hub = createHub();
  const stopListening = await database.listen(channel, hub);
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
    hub.endAll();
  });
  app.addHook('onClose', () => stopListening());

  /** Sends a heartbeat, or ends the stream if its session is over. The role may have changed. */
  const sendHeartbeat = async (
    request: FastifyRequest,
    response: ServerResponse,
    stream: Stream,
  ) => {
    try {
      const { actor } = await answerInTime(times.answerMs, () => authenticate(request));
      stream.role = actor.role;
      writeOrCut(response, ':\n\n');
    } catch (error) {
      const isTheirs = error instanceof Refusal && error.code !== 'unavailable';
      if (!isTheirs && error instanceof Error) {
        request.log.warn(
          { err: errorForLog(error) },
          'cannot check the session of an event stream',
        );
      }
      stream.end();
    }
  };

  app.get(eventsPath, { exposeHeadRoute: false }, async (request, reply) => {
    const { actor } = await authenticate(request);
    if (isClosing) throw new Refusal('unavailable', { retryAfterSeconds: 5 });
    reply.hijack();
    const response = reply.raw;
    const stream: Stream = {
      userId: actor.id,
      role: actor.role,
      tell: () => writeOrCut(response, `event: ${changeEvent}\ndata: {}\n\n`),
      end: () => {
        leave();
        response.end();
      },
    };
    const leaveHub = hub.add(stream);
    const heartbeat = setInterval(
      () => void sendHeartbeat(request, response, stream),
      times.heartbeatMs,
    );
    const leave = () => {
      clearInterval(heartbeat);
      leaveHub();
    };
    response.on('close', leave);
    response.on('error', leave);
    // Closed before the listener was added.
    if (response.destroyed) leave();
    response.writeHead(200, { ...reply.getHeaders(), ...streamHeaders } as Record<string, string>);
    response.write(`retry: ${retryMs}\n:\n\n`);
  });
  return hub.size;
}
