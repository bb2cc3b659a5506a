/** /metrics: access, what its figures count, and that callers cannot create series. */
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { sql } from 'drizzle-orm';
import Fastify from 'fastify';
import { Registry } from 'prom-client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { headers as wireHeaders } from '#contract/headers.ts';
import { routes } from '#contract/routes.ts';
import { proofs } from '#server/database/schema.ts';
import { createReader, mostCounted, readQueues } from '#server/modules/metrics/queues.ts';
import { addRequestMetrics } from '#server/modules/metrics/request-metrics.ts';
import { testDatabase } from './databases.ts';
import { filePushService, pushEnvironment, subscribed, told } from './push-stage.ts';
import { closeSseClients, listenAs, listenOn } from './sse-client.ts';
import { fileStage, type Stage } from './stage.ts';

const token = 'a-token-that-only-the-scraper-has';
const stage = fileStage({ ...pushEnvironment, METRICS_TOKEN: token });
const closed = fileStage();
/** Nothing here uses the API and nothing listens, so its dispatcher is never nudged. */
const still = fileStage({ METRICS_TOKEN: token });
const service = filePushService();
closeSseClients();

const scrape = (who: Stage, key = token) =>
  who.send<null>(null, 'GET', '/metrics', { headers: { authorization: `Bearer ${key}` } });

type Samples = ReadonlyMap<string, number>;

/** 'name{a="b"}' → value. */
async function samples(who: Stage = stage()): Promise<Samples> {
  const { status, text } = await scrape(who);
  expect(status).toBe(200);
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

/** The increase between two scrapes. */
const moved = (before: Samples, now: Samples, sample: string) =>
  (now.get(sample) ?? 0) - (before.get(sample) ?? 0);

const counted = (method: string, route: string, status: string) =>
  `http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`;
const operation = (method: string, route: string, outcome: string) =>
  `kaya_operations_total{method="${method}",route="${route}",outcome="${outcome}"}`;

describe('/metrics', () => {
  it('is 404 without a configured token', async () => {
    const asked = await scrape(closed());
    const unknown = await closed().send(null, 'GET', '/no-such-path');
    expect([asked.status, asked.text]).toEqual([404, unknown.text]);
    expect((await closed().send(null, 'GET', '/metrics')).text).toBe(unknown.text);
  });

  it('requires the token and is not cached', async () => {
    const { status, headers, text } = await scrape(stage());
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(headers['cache-control']).toBe('no-store');
    expect(text).toContain('# TYPE http_request_duration_seconds histogram');
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
  });

  it.each([
    ['no token', undefined],
    ['more than the token', `Bearer ${token}x`],
  ])('is refused for %s', async (_, authorization) => {
    const headers = authorization === undefined ? {} : { authorization };
    const answer = await stage().send(null, 'GET', '/metrics', { headers });
    expect([answer.status, answer.body.code]).toEqual([401, 'unauthenticated']);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(answer.text).not.toContain('process_');
  });
});

describe('request metrics', () => {
  it('are labelled by route pattern, method and status class', async () => {
    const sender = await stage().person('Customer');
    const { _id: id } = await stage().created(sender);
    const before = await samples();
    await stage().send(sender, 'PATCH', `/api/packages/${id}`, { body: { notes: 'Ring twice.' } });
    await stage().send(sender, 'GET', '/api/packages?since=&x=1');
    await stage().send(null, 'GET', '/api/packages');
    const now = await samples();
    expect(moved(before, now, counted('PATCH', '/api/packages/:id', '2xx'))).toBe(1);
    expect(moved(before, now, counted('GET', '/api/packages', '2xx'))).toBe(1);
    expect(moved(before, now, counted('GET', '/api/packages', '4xx'))).toBe(1);
    const longest = counted('PATCH', '/api/packages/:id', '2xx')
      .replace('_count{', '_bucket{le="12",')
      .replace(/,le=/, ',');
    expect(moved(before, now, longest)).toBe(1);
  });

  it('create no series from caller input', async () => {
    const sender = await stage().person('Customer');
    const ask = async (round: string) => {
      for (let index = 0; index < 30; index += 1) {
        const word = `${round}-${index}`;
        await stage().send(null, 'GET', `/${word}?${word}=${word}`);
        await stage().send(sender, 'GET', `/api/${word}/users`);
        await stage().send(sender, 'DELETE', `/api/packages/${word}`);
        await stage().app.inject({ method: 'PROPFIND' as 'GET', url: `/${word}` });
        await stage().app.inject({ method: 'MKCALENDAR' as 'GET', url: `/${word}` });
      }
    };
    await ask('first');
    const before = await samples();
    await ask('second');
    const now = await samples();
    const series = [...now.keys()].filter((name) => /^(http|kaya)_/.test(name));
    expect(series.filter((name) => !before.has(name))).toEqual([]);
    expect(series.join('\n')).not.toMatch(/first-|second-|PROPFIND|MKCALENDAR/);
    expect(moved(before, now, counted('GET', 'none', '4xx'))).toBe(60);
    expect(moved(before, now, counted('other', 'none', '4xx'))).toBe(60);
  });

  it('start every alerting failure at 0, so that the first one is an increase', async () => {
    const now = await samples(still());
    for (const { method, path } of Object.values(routes)) {
      const failed = now.get(operation(method, path, 'failed'));
      expect([method, path, failed]).toEqual([method, path, method === 'GET' ? undefined : 0]);
      expect([method, path, now.get(counted(method, path, '5xx'))]).toEqual([method, path, 0]);
    }
  });

  it('do not count an aborted call as in flight', async () => {
    const base = await listenOn(stage().app);
    const before = await samples();
    expect(before.get('http_requests_in_flight')).toBe(1);
    // The rest of its body never arrives.
    const half = request(`${base}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': 100 },
    });
    half.on('error', () => undefined);
    half.write('{"email":');
    const inFlight = (count: number) =>
      vi.waitFor(async () => {
        expect((await samples()).get('http_requests_in_flight')).toBe(count);
      });
    await inFlight(2);
    half.destroy();
    await inFlight(1);
    // The aborted one, and none of the answered ones.
    const aborted = [...(await samples())].filter(([name]) => name.includes('_aborted_'));
    expect(aborted).toEqual([
      ['http_requests_aborted_total{method="POST",route="/api/auth/login"}', 1],
    ]);
  });
});

describe('gauges', () => {
  it('count event streams, not as long calls', async () => {
    const { port } = stage().app.server.address() as { port: number };
    const before = await samples();
    const person = await stage().person('Customer');
    const stream = await listenAs(person, `http://127.0.0.1:${port}`);
    const withRows = await listenAs(person, `http://127.0.0.1:${port}`, '?rows=1');
    const during = await samples();
    const open = (kind: string) => `kaya_event_streams_open{kind="${kind}"}`;
    expect(moved(before, during, open('plain'))).toBe(1);
    expect(moved(before, during, open('rows'))).toBe(1);
    await stage().created(person);
    await withRows.until(() => withRows.text.includes('event: rows'));
    const after = await samples();
    const sent = (what: string) =>
      moved(during, after, `kaya_event_stream_sent_total{what="${what}"}`);
    expect([sent('batches'), sent('rows')]).toEqual([1, 1]);
    // One more where the person's own profile was still being announced.
    expect(sent('reads')).toBeGreaterThan(0);
    withRows.close();
    expect(during.get('http_requests_in_flight')).toBe(1);
    stream.close();
    await vi.waitFor(async () => {
      const now = await samples();
      for (const kind of ['plain', 'rows']) expect(moved(before, now, open(kind))).toBe(0);
    });
    expect([...(await samples()).keys()].join('\n')).not.toContain(
      'route="/api/events",status="2xx"',
    );
    // A refused one counts as an ordinary call.
    expect((await stage().send(null, 'GET', '/api/events')).status).toBe(401);
    expect(moved(before, await samples(), counted('GET', '/api/events', '4xx'))).toBe(1);
  });

  it('count what is queued in the database', async () => {
    const { db } = still().database;
    const before = await samples(still());
    const sender = await still().person('Customer');
    const at = new Date(still().now().getTime() - 90_000).toISOString();
    const id = randomUUID();
    await db.execute(sql`
      insert into packages (id, sender_id, recipient_name, recipient_phone, description, pickup_address,
        delivery_address, pickup_date, price_kobo, payment_method, status, created_at, updated_at)
      values (${id}, ${sender.id}, 'Musa', '08057654321', 'Cloth', 'Here', 'There', now(), 1000,
        'cash', 'pending', now(), now())`);
    await db.execute(sql`insert into push_news (package_id, kind, actor_id, created_at)
      values (${id}, 'delivered', ${sender.id}, ${at}::timestamptz)`);
    const statuses = ['pending', 'failed', 'review', 'review', 'review', 'abandoned'];
    for (const [index, status] of statuses.entries()) {
      await db.execute(sql`insert into top_ups
        (reference, user_id, provider, requested_kobo, status, created_at)
        values (${`reference-${index}`}, ${sender.id}, 'sandbox', 100, ${status}, ${at}::timestamptz)`);
    }
    // Not late, late, and with a problem.
    for (const [index, days] of [0, 2, 0].entries()) {
      const createdAt = new Date(still().now().getTime() - days * 86_400_000).toISOString();
      await db.execute(sql`insert into payouts (id, user_id, reference, provider, amount_kobo, fee_kobo,
        bank_name, account_name, account_number_end, recipient_code, problem, created_at)
        values (${randomUUID()}, ${sender.id}, ${`payout-${index}`}, 'sandbox', 100, 10, 'GTBank', 'Amina',
          '6789', 'RCP_1', ${index === 2 ? 'sent in GHS and not in NGN' : null}, ${createdAt}::timestamptz)`);
    }
    const now = await samples(still());
    const waiting = (queue: string) => moved(before, now, `kaya_queue_rows{queue="${queue}"}`);
    expect(waiting('packages_on_offer')).toBe(1);
    expect(waiting('push_news')).toBe(1);
    expect(waiting('top_ups_open')).toBe(2);
    expect(waiting('top_ups_in_review')).toBe(3);
    expect([waiting('payouts_late'), waiting('payouts_in_review')]).toEqual([1, 1]);
    expect(now.get('kaya_queue_oldest_seconds{queue="push_news"}')).toBe(90);
    await db.execute(sql`delete from push_news`);
    expect((await samples(still())).get('kaya_queue_oldest_seconds{queue="push_news"}')).toBe(0);
  });

  it('count notifications by outcome', async () => {
    const before = await samples();
    const [sender, courier] = [
      await stage().person('Customer'),
      await stage().person('Employee', 'Sani'),
    ];
    const phone = await subscribed(stage(), courier, service().phone(), ['newPackage']);
    await stage().created(sender);
    await told(phone, ['newPackage']);
    await vi.waitFor(async () => {
      const now = await samples();
      expect(moved(before, now, 'kaya_push_deliveries_total{outcome="sent"}')).toBe(1);
      expect(now.get('kaya_push_deliveries_held')).toBe(0);
    });
  });

  it.runIf(testDatabase === 'postgres')('report the PostgreSQL connections', async () => {
    const now = await samples(still());
    const at = (state: string) => now.get(`kaya_database_connections{state="${state}"}`) ?? -1;
    expect(at('most')).toBe(20);
    expect(at('idle')).toBeGreaterThanOrEqual(1);
    expect([at('used'), at('waiting')]).toEqual([0, 0]);
  });

  it('count pictures and their bytes, every five minutes', async () => {
    const sender = await stage().person('Customer');
    const pkg = await stage().created(sender);
    const at = async () => {
      const now = await samples();
      return ['database', 'object_store'].map((place) => [
        now.get(`kaya_pictures{place="${place}"}`),
        now.get(`kaya_picture_bytes{place="${place}"}`),
      ]);
    };
    stage().pass(5 * 60_000);
    expect(await at()).toEqual([
      [0, 0],
      [0, 0],
    ]);
    const row = { packageId: pkg._id, courierId: sender.id, createdAt: stage().now() };
    const more = { ...row, type: 'image/png' as const, digest: '' };
    await stage()
      .db.insert(proofs)
      .values([
        { ...more, id: randomUUID(), bytes: Buffer.alloc(100), size: 100, storedDigest: '' },
        { ...more, id: randomUUID(), bytes: Buffer.alloc(10), size: 10, storedDigest: '' },
        { ...more, id: randomUUID(), bytes: null, size: 1000, storedDigest: '' },
      ]);
    expect((await at())[0]).toEqual([0, 0]);
    stage().pass(5 * 60_000);
    expect(await at()).toEqual([
      [2, 110],
      [1, 1000],
    ]);
    await stage().db.delete(proofs);
  });

  it('report a database outage and no stale contents', async () => {
    expect((await samples()).get('kaya_database_up')).toBe(1);
    await stage().db.execute(sql`alter table push_news rename to push_news_away`);
    const away = await samples();
    await stage().db.execute(sql`alter table push_news_away rename to push_news`);
    expect(away.get('kaya_database_up')).toBe(0);
    expect([...away.keys()].filter((name) => name.startsWith('kaya_queue_'))).toEqual([]);
    expect((await samples()).get('kaya_database_up')).toBe(1);
  });
});

/** An observer, and how often it has queried the database. */
function looking() {
  const asked = vi.spyOn(closed().db._.session, 'prepareQuery');
  return { look: createReader(() => readQueues(closed().db, closed().now)), asked };
}

afterEach(() => vi.restoreAllMocks());

describe('observing the queues', () => {
  it('shares one query among concurrent readers and queries again for later ones', async () => {
    const { look, asked } = looking();
    const answers = await Promise.all([look(), look(), look()]);
    expect(asked).toHaveBeenCalledTimes(1);
    expect(answers).toEqual(answers.map(() => expect.objectContaining({ topUpsInReview: 0 })));
    await look();
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it('queries again after a failure', async () => {
    const { look, asked } = looking();
    asked.mockImplementationOnce(() => {
      throw new Error('away');
    });
    expect(await look()).toBe(null);
    expect(await look()).toMatchObject({ topUpsInReview: 0 });
  });

  it('counts up to its limit only', async () => {
    const sender = await closed().person('Customer');
    await closed().db.execute(sql`insert into top_ups
        (reference, user_id, provider, requested_kobo, status, created_at)
      select 'reference-' || n, ${sender.id}, 'sandbox', 100, 'review', now()
        from generate_series(1, ${mostCounted + 5}::int) as n`);
    expect(await looking().look()).toMatchObject({ topUpsInReview: mostCounted });
    expect(mostCounted).toBe(10_000);
  });
});

const answersRoute = '/api/answers/:status';

/** A server that answers with the requested status. */
function stand() {
  const app = Fastify();
  const registry = new Registry();
  addRequestMetrics(app, registry);
  app.post<{ Params: { status: string } }>(answersRoute, async ({ params }, reply) => {
    if (params.status === 'replayed') reply.header(wireHeaders.idempotencyReplayed, 'true');
    return reply.code(Number(params.status) || 201).send();
  });
  const counted = async () => {
    const sample = /^kaya_operations_total\{method="POST",route="(.+)",outcome="(.+)"\} (\d+)$/gm;
    const all = [...(await registry.metrics()).matchAll(sample)];
    return all
      .filter(([, path]) => path === answersRoute)
      .map(([, , outcome, n]) => [outcome, Number(n)]);
  };
  return { app, counted };
}

describe('a mutation', () => {
  it.each([
    ['201', 'done'],
    ['replayed', 'replayed'],
    ['401', 'signed_out'],
    ['404', 'refused'],
    ['409', 'conflict'],
    ['422', 'refused'],
    ['429', 'rate_limited'],
    ['500', 'failed'],
    ['502', 'failed'],
    ['503', 'unavailable'],
  ])('answered %s is counted once as %s', async (status, outcome) => {
    const { app, counted } = stand();
    await app.inject({ method: 'POST', url: `/api/answers/${status}` });
    const isCounted = (await counted()).filter(([, count]) => count !== 0);
    expect(isCounted).toEqual([[outcome, 1]]);
  });
});
