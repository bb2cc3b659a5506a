/** Server-sent events: the parts that streams have in common. */
import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';

const retryMs = 5000;

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  // No proxy may buffer or cache events.
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  // A kept-alive connection would delay a shutdown.
  connection: 'close',
};

export const heartbeat = ':\n\n';

/**
 * May a stream begin here? A response behind another on its connection has none yet, so its end would
 * never be noticed. Browsers send no such requests.
 */
export const hasConnection = (reply: FastifyReply): boolean => reply.raw.socket !== null;

/** Begins the stream in this turn, with `first` events. The caller has hijacked the reply. */
export function beginStream(reply: FastifyReply, first = ''): ServerResponse {
  const response = reply.raw;
  // The end of the connection is the end of the stream: events need no chunks around them.
  response.removeHeader('transfer-encoding');
  response.writeHead(200, { ...reply.getHeaders(), ...streamHeaders } as Record<string, string>);
  response.write(`retry: ${retryMs}\n${heartbeat}${first}`);
  return response;
}

/**
 * Writes, or disconnects a reader whose backlog exceeds `backlogBytes`; it reconnects and asks. So a
 * process buffers at most this and one event for a slow reader.
 */
export function writeOrCut(
  response: ServerResponse,
  backlogBytes: number,
  bytes: string | Buffer,
): void {
  if (response.destroyed || response.writableEnded) return;
  // Without chunks around them, events are the socket's as they are. No socket: it has just closed.
  const target = response.socket ?? response;
  if (target.writableLength > backlogBytes) response.destroy();
  else target.write(bytes);
}
