/**
 * GET /metrics in Prometheus's text format, for callers with METRICS_TOKEN. Without that setting
 * the path does not exist and nothing is counted. Figures are per process, except the database's;
 * none identifies a person.
 */
import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { OpenDatabase } from '#server/database/database.ts';
import { Refusal } from '#server/http/refusal.ts';
import type { Dispatcher } from '#server/modules/notifications/dispatcher.ts';
import { type PictureTotals, pictureTotals } from '#server/modules/proofs/repository.ts';
import { carriesKey } from '#server/plugins/authentication.ts';
import { addMailMetrics } from './mails.ts';
import { createReader, mostCounted, type Queues, readQueues } from './queues.ts';
import { addRequestMetrics } from './request-metrics.ts';
import { addTextMetrics } from './texts.ts';

export const metricsPath = '/metrics';

interface Streams {
  open(): Record<'plain' | 'rows', number>;
  sent: Record<'reads' | 'batches' | 'rows', number>;
}

interface Needs {
  app: FastifyInstance;
  database: OpenDatabase;
  now: () => Date;
  streams: Streams;
  tracking: { size(): number };
  dispatcher: Pick<Dispatcher, 'held' | 'outcomes'>;
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
    // Values of the last scrape are not repeated.
    waiting.reset();
    age.reset();
    if (!queues) return;
    waiting.set({ queue: 'push_news' }, queues.notificationQueue);
    waiting.set({ queue: 'top_ups_open' }, queues.topUpsOpen);
    waiting.set({ queue: 'top_ups_in_review' }, queues.topUpsInReview);
    waiting.set({ queue: 'payouts_late' }, queues.payoutsLate);
    waiting.set({ queue: 'payouts_in_review' }, queues.payoutsInReview);
    waiting.set({ queue: 'releases_due' }, queues.releasesDue);
    waiting.set({ queue: 'texts_due' }, queues.textsDue);
    waiting.set({ queue: 'mails_due' }, queues.mailsDue);
    waiting.set({ queue: 'packages_on_offer' }, queues.packagesOnOffer);
    age.set({ queue: 'push_news' }, queues.oldestNotificationSeconds);
  };
}

/** Counting all pictures takes long where there are many. */
const picturesEveryMs = 5 * 60_000;

function addPictures(registry: Registry, { database: { db }, now }: Needs): () => Promise<void> {
  const registers = [registry];
  const labelNames = ['place'] as const;
  const pictures = new Gauge({
    name: 'kaya_pictures',
    help: 'Photos and signatures by where their bytes are, counted every five minutes.',
    labelNames,
    registers,
  });
  const size = new Gauge({
    name: 'kaya_picture_bytes',
    help: 'Their size.',
    labelNames,
    registers,
  });
  const look = createReader(() => pictureTotals(db));
  let readAtMs = Number.NEGATIVE_INFINITY;
  return async () => {
    if (now().getTime() - readAtMs < picturesEveryMs) return;
    const totals: PictureTotals[] = (await look()) ?? [];
    if (totals.length > 0) readAtMs = now().getTime();
    for (const { place, count, bytes } of totals) {
      pictures.set({ place }, count);
      size.set({ place }, bytes);
    }
  };
}

function addReadings(registry: Registry, { database, streams, tracking, dispatcher }: Needs): void {
  const registers = [registry];
  const { connections } = database;
  new Gauge({
    name: 'kaya_event_streams_open',
    help: 'Phones that hear of changes from this process; rows: streams that carry the rows; tracking: pages of recipients.',
    labelNames: ['kind'] as const,
    registers,
    collect() {
      for (const [kind, count] of Object.entries(streams.open())) this.set({ kind }, count);
      this.set({ kind: 'tracking' }, tracking.size());
    },
  });
  new Counter({
    name: 'kaya_event_stream_sent_total',
    help: 'For streams of rows; reads: how often the database was asked; batches and rows: written to streams.',
    labelNames: ['what'] as const,
    registers,
    collect() {
      this.reset();
      for (const [what, count] of Object.entries(streams.sent)) this.inc({ what }, count);
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

/** Starts counting; call it before any hook that may refuse a request. */
export function addMetrics(app: FastifyInstance, token: string) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  addRequestMetrics(app, registry);
  return {
    serve: (needs: Needs): void => {
      addReadings(registry, needs);
      const noteQueues = addQueues(registry);
      const look = createReader(() => readQueues(needs.database.db, needs.now));
      const notePictures = addPictures(registry, needs);
      const noteTexts = addTextMetrics(registry, { db: needs.database.db, now: needs.now });
      const noteMails = addMailMetrics(registry, { db: needs.database.db, now: needs.now });
      app.get(metricsPath, async (request, reply) => {
        reply.header('cache-control', 'no-store');
        if (!carriesKey(request, token)) {
          reply.header('www-authenticate', 'Bearer');
          throw new Refusal('unauthenticated');
        }
        const queues = await look();
        noteQueues(queues);
        if (queues) {
          await notePictures();
          await noteTexts();
          await noteMails();
        }
        return reply.type(registry.contentType).send(await registry.metrics());
      });
    },
  };
}
