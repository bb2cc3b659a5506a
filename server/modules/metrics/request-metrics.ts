/**
 * Duration and outcome of calls. Invariant: label values come from this server (method, route
 * pattern, outcome), so no caller can create series.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { headers } from '#contract/headers.ts';
import { eventsPath } from '#contract/stream.ts';
import { trackingEventsPath } from '#contract/tracking.ts';

/** Seconds; the last is the response timeout (config/timeouts). */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 12];

const methods: ReadonlySet<string> = new Set([
  ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
]);
const changing: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Node's parser accepts thirty more methods. */
const methodOf = ({ method }: FastifyRequest) => (methods.has(method) ? method : 'other');

const routeOf = ({ routeOptions }: FastifyRequest) => routeOptions.url ?? 'none';

/** Outcomes as the app's engine classifies them (domain/outcome), plus those for operators. */
function outcomeOf(reply: FastifyReply): string {
  const { statusCode: status } = reply;
  if (reply.hasHeader(headers.idempotencyReplayed)) return 'replayed';
  if (status < 400) return 'done';
  if (status === 401) return 'signed_out';
  if (status === 409) return 'conflict';
  if (status === 429) return 'rate_limited';
  if (status < 500) return 'refused';
  return status === 503 ? 'unavailable' : 'failed';
}

export function addRequestMetrics(app: FastifyInstance, registry: Registry): void {
  const registers = [registry];
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'From the headers of a request to the end of its answer; event streams are not in it.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets,
    registers,
  });
  const inFlight = new Gauge({
    name: 'http_requests_in_flight',
    help: 'Requests that have not been answered; event streams are not among them.',
    registers,
  });
  const aborted = new Counter({
    name: 'http_requests_aborted_total',
    help: 'Requests whose connection ended before their answer.',
    labelNames: ['method', 'route'] as const,
    registers,
  });
  const operations = new Counter({
    name: 'kaya_operations_total',
    help: 'Calls that change something, by how they ended; replayed: a repeat of one that was done or refused before.',
    labelNames: ['method', 'route', 'outcome'] as const,
    registers,
  });

  // A counter that starts at 1 has not increased: the first failure would trigger no alert.
  app.addHook('onRoute', ({ method: oneOrMore, url: route }) => {
    if (!route.startsWith('/api/')) return;
    for (const method of [oneOrMore].flat()) {
      duration.zero({ method, route, status: '5xx' });
      if (changing.has(method)) operations.inc({ method, route, outcome: 'failed' }, 0);
    }
  });

  const streams: readonly string[] = [eventsPath, trackingEventsPath];
  const isStream = (request: FastifyRequest) => streams.includes(routeOf(request));

  app.addHook('onRequest', (request, reply, done) => {
    if (!isStream(request)) {
      const labels = { method: methodOf(request), route: routeOf(request) };
      inFlight.inc();
      let isAnswered = false;
      reply.raw.once('finish', () => {
        isAnswered = true;
      });
      // Not onResponse, which does not fire after a disconnect.
      reply.raw.once('close', () => {
        inFlight.dec();
        if (!isAnswered) aborted.inc(labels);
      });
    }
    done();
  });

  app.addHook('onResponse', (request, reply, done) => {
    const labels = { method: methodOf(request), route: routeOf(request) };
    if (!isStream(request) || reply.statusCode >= 400) {
      const status = `${Math.floor(reply.statusCode / 100)}xx`;
      duration.observe({ ...labels, status }, reply.elapsedTime / 1000);
    }
    if (changing.has(request.method) && labels.route.startsWith('/api/')) {
      operations.inc({ ...labels, outcome: outcomeOf(reply) });
    }
    done();
  });
}
