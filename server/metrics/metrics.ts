/**
 * GET /metrics in Prometheus's text format, for who carries METRICS_TOKEN. Without that setting there
 * is no such path, and nothing is counted. Figures are of this process; those of the database are the
 * same at every process. Nothing says anything of a person.
 */
import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { OpenDatabase } from '#server/database/database.ts';
import type { Dispatcher } from '#server/modules/notifications/dispatcher.ts';
import { carriesKey } from '#server/plugins/bearer-key.ts';
import { Refusal } from '#server/refusal.ts';
import { createLookAtQueues, mostCounted, type Queues } from './queues.ts';
import { addRequestMetrics } from './request-metrics.ts';

export const metricsPath = '/metrics';

interface Needs {
  app: FastifyInstance;
  database: OpenDatabase;
  now: () => Date;
  /** Event streams that are open at this process. */
  streams: () => number;
  dispatcher: Pick<Dispatcher, 'held' | 'outcomes'>;
}

export interface Metrics {
  /** Adds the path, once there is what it tells of. */
  serve(needs: Needs): void;
}

function addQueues(registry: Registry): (queues: Queues | null) => void {
  const registers = [registry];
  const up = new Gauge({
    name: 'kaya_database_up',
    help: '1 where the database answered this scrape within two seconds.',
    registers,
  });
  const waiting = new Gauge({
    name: 'kaya_queue_rows',
    help: `What waits in the database, counted up to ${mostCounted}; nothing where the database is away.`,
    labelNames: ['queue'] as const,
    registers,
  });
  const age = new Gauge({
    name: 'kaya_queue_oldest_seconds',
    help: 'How old the oldest of it is; 0 where there is none.',
    labelNames: ['queue'] as const,
    registers,
  });
  return (queues) => {
    up.set(queues ? 1 : 0);
    // What was true at the last scrape is not said again.
    waiting.reset();
    age.reset();
    if (!queues) return;
    waiting.set({ queue: 'push_news' }, queues.pushNews);
    waiting.set({ queue: 'top_ups_open' }, queues.topUpsOpen);
    waiting.set({ queue: 'top_ups_in_review' }, queues.topUpsInReview);
    waiting.set({ queue: 'packages_on_offer' }, queues.packagesOnOffer);
    age.set({ queue: 'push_news' }, queues.pushNewsAgeSeconds);
  };
}

/** What is kept elsewhere and only has to be read. */
function addReadings(registry: Registry, { database, streams, dispatcher }: Needs): void {
  const registers = [registry];
  const { connections } = database;
  new Gauge({
    name: 'kaya_event_streams_open',
    help: 'Phones that hear of changes from this process.',
    registers,
    collect() {
      this.set(streams());
    },
  });
  new Gauge({
    name: 'kaya_push_deliveries_held',
    help: 'Notifications that this process has taken and not yet sent.',
    registers,
    collect() {
      this.set(dispatcher.held());
    },
  });
  new Counter({
    name: 'kaya_push_deliveries_total',
    help: 'Notifications by what came of them.',
    labelNames: ['outcome'] as const,
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(dispatcher.outcomes())) {
        this.inc({ outcome }, count);
      }
    },
  });
  if (!connections) return;
  new Gauge({
    name: 'kaya_database_connections',
    help: 'Connections to PostgreSQL; waiting: calls that wait for one; most: how many there may be.',
    labelNames: ['state'] as const,
    registers,
    collect() {
      for (const [state, count] of Object.entries(connections())) this.set({ state }, count);
    },
  });
}

/** Counts from here on; to be called before the hooks that may refuse a request. */
export function addMetrics(app: FastifyInstance, token: string): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  addRequestMetrics(app, registry);
  return {
    serve: (needs) => {
      addReadings(registry, needs);
      const noteQueues = addQueues(registry);
      const look = createLookAtQueues(needs.database.db, needs.now);
      app.get(metricsPath, async (request, reply) => {
        reply.header('cache-control', 'no-store');
        if (!carriesKey(request, token)) {
          reply.header('www-authenticate', 'Bearer');
          throw new Refusal('unauthenticated');
        }
        noteQueues(await look());
        return reply.type(registry.contentType).send(await registry.metrics());
      });
    },
  };
}
