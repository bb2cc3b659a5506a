/**
 * GET /api/events: 'something that you can see changed' (DESIGN.md section 4). A stream lives as
 * long as its session, its access token and its server; a client then connects again.
 */
import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { changeEvent, eventsPath } from '#contract/routes.ts';
import type { OpenDatabase } from '#server/database/database.ts';
import { inTime } from '#server/plugins/answer-in-time.ts';
import type { Authenticate } from '#server/plugins/authentication.ts';
import { errorForLog } from '#server/plugins/request-log.ts';
import { Refusal } from '#server/refusal.ts';
import type { TimeLimits } from '#server/time-limits.ts';
import { writeOrCut } from './backlog.ts';
import { createHub, type Stream } from './hub.ts';

const channel = 'kaya_changes';
const retryMs = 5000;

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  // No proxy may gather or keep what is to be heard at once.
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
  // With the stream ends its connection: one kept alive would hold up a stop.
  connection: 'close',
};

interface Needs {
  app: FastifyInstance;
  database: OpenDatabase;
  authenticate: Authenticate;
  times: Pick<TimeLimits, 'heartbeatMs' | 'answerMs'>;
}

/** Answers how many streams are open at this process. */
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

  /** A sign of life, or the end where the caller may listen no more. Their role may be a new one. */
  const beat = async (request: FastifyRequest, response: ServerResponse, stream: Stream) => {
    try {
      const { actor } = await inTime(times.answerMs, () => authenticate(request));
      stream.role = actor.role;
      writeOrCut(response, ':\n\n');
    } catch (error) {
      const isTheirs = error instanceof Refusal && error.code !== 'unavailable';
      if (!isTheirs && error instanceof Error) {
        request.log.warn({ err: errorForLog(error) }, 'the session of a stream cannot be checked');
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
    const heartbeat = setInterval(() => void beat(request, response, stream), times.heartbeatMs);
    const leave = () => {
      clearInterval(heartbeat);
      leaveHub();
    };
    response.on('close', leave);
    response.on('error', leave);
    // Gone before anybody listened for it.
    if (response.destroyed) leave();
    response.writeHead(200, { ...reply.getHeaders(), ...streamHeaders } as Record<string, string>);
    response.write(`retry: ${retryMs}\n:\n\n`);
  });
  return hub.size;
}
