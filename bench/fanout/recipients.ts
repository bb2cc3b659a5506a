/**
 * Five thousand recipients' pages with the same link while its package changes: the processor time of
 * the server beside a bare broadcaster of the same bytes, and what the app's own calls wait for.
 */
import { randomUUID } from 'node:crypto';
import { constants, setPriority } from 'node:os';
import path from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { median } from '#bench/figures.mjs';
import { say, tell } from '#bench/report.mjs';
import { caughtUp } from '#bench/server/cases.ts';
import { load } from '#bench/server/load.ts';
import { type Filled, onDatabase } from '#bench/server/places.ts';
import { type Running, start, startProduct } from '#bench/server/processes.ts';
import { between, spentByAll } from '#bench/server/processor-time.ts';
import { acceptBody, type Person, pulling, tokensFor } from '#bench/server/requests.ts';
import { secret } from '#bench/server/stage.ts';
import { pathOf, routes } from '#contract/routes.ts';
import { trackingEventsPath } from '#contract/tracking.ts';
import type { BroadcasterSettings } from './broadcaster.ts';
import type { Counted, ReadersSettings } from './readers.ts';

const size = { packages: 5_000, users: 2_000 };
const readerCount = 5_000;
const changeCount = 20;
const changeEveryMs = 750;
/** Until the last change has reached all. */
const settleMs = 1_500;
const busyMs = changeCount * changeEveryMs + settleMs;
const idleMs = 5_000;
/** People who use the app at the same time. */
const callers = 4;
const rounds = 5;
/** The limits are per network, and all readers are in one. */
const settings = { TILE_URL: 'off', CALLS_PER_MINUTE: '999999999' };

interface Followed {
  id: string;
  token: string;
  courier: Person;
}

async function call<Answer>(
  url: string,
  { token }: Person,
  method: string,
  at: string,
  body: object,
) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}${at}`, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${at}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

function record(url: string, { id, courier }: Pick<Followed, 'id' | 'courier'>, type: string) {
  const reason = type === 'attempt_failed' ? { reason: 'recipient_unavailable' } : {};
  const event = { _id: randomUUID(), type, occurredAt: new Date().toISOString(), ...reason };
  return call(url, courier, 'POST', pathOf(routes.recordEvent.path, { id }), event);
}

/** A package that is on its way. */
async function follow(url: string, sender: Person, courier: Person): Promise<Followed> {
  const made = await call<{ _id: string; trackingPath: string }>(
    url,
    sender,
    'POST',
    routes.createPackage.path,
    {
      pickupAddress: '12 Kofar Mata Road, Kano',
      deliveryAddress: '4 Zoo Road, Kano',
      recipientName: 'Musa Ibrahim',
      recipientPhone: '0805 765 4321',
      description: 'Two bolts of indigo cloth',
      pickupDate: '2027-01-15T09:00:00.000Z',
      priceOffer: 1500,
      paymentMethod: 'cash',
      handover: 'code',
    },
  );
  const { _id: id, trackingPath } = made;
  const followed = { id, token: trackingPath.slice('/t/'.length), courier };
  const accepted = JSON.parse(acceptBody(courier.id));
  await call(url, courier, 'PATCH', pathOf(routes.patchPackage.path, { id }), accepted);
  await record(url, followed, 'picked_up');
  return followed;
}

/** Each shows on the page: the courier comes, and comes again. */
async function change(url: string, followed: Followed): Promise<void> {
  for (let nth = 0; nth < changeCount; nth += 1) {
    const due = after(changeEveryMs);
    await record(url, followed, nth % 2 === 0 ? 'arrived' : 'attempt_failed');
    await due;
  }
}

const startReaders = (wanted: ReadersSettings, logFile: string): Promise<Running> =>
  start({
    entry: 'bench/readers.js',
    env: { NODE_ENV: 'production' },
    readyLine: /ready at (\S+)/,
    logFile,
    stdin: JSON.stringify(wanted),
  });

/** ms of a process's processor time while `work` runs. */
async function spentDuring({ pid }: Running, work: () => Promise<unknown>): Promise<number> {
  const before = spentByAll([pid]);
  await work();
  return between(before, spentByAll([pid]));
}

const counts = async ({ url }: Running, at = '/'): Promise<Counted> =>
  (await (await fetch(`${url}${at}`)).json()) as Counted;

interface Stage {
  product: Running;
  callersOf: readonly Person[];
  log(name: string): string;
}

/** The p99 of list calls that find nothing new, while the package changes. */
async function waits({ product, callersOf }: Stage, followed: Followed): Promise<number> {
  const requests = await Promise.all(
    callersOf.map(async (person) => pulling(person, await caughtUp(product, person))),
  );
  let turn = 0;
  const next = () => {
    const request = requests[turn % requests.length];
    if (!request) throw new Error('No couriers were seeded.');
    turn += 1;
    return request;
  };
  const ms = changeCount * changeEveryMs;
  const [{ p99Ms }] = await Promise.all([
    load({ url: product.url, connections: callers, next, ms }),
    change(product.url, followed),
  ]);
  return p99Ms;
}

/** The same bytes at the same moments to as many streams. */
async function broadcast(schedule: Counted['recorded'], log: string): Promise<number> {
  const broadcaster = await start({
    entry: 'bench/broadcaster.js',
    env: { NODE_ENV: 'production' },
    readyLine: /ready at (\S+)/,
    logFile: log,
    stdin: JSON.stringify({ schedule } satisfies BroadcasterSettings),
  });
  const readers = await startReaders({ url: broadcaster.url, path: '/', count: readerCount }, log);
  await counts(readers, '/reset');
  const spent = await spentDuring(broadcaster, async () => {
    await fetch(`${broadcaster.url}/begin`, { method: 'POST' });
    await after((schedule.at(-1)?.[0] ?? 0) + settleMs);
  });
  const { bytes } = await counts(readers);
  await readers.stop();
  await broadcaster.stop();
  const sent = schedule.reduce((sum, [, text]) => sum + Buffer.byteLength(text), 0) * readerCount;
  if (bytes < sent) throw new Error(`The broadcaster sent ${bytes} of ${sent} bytes.`);
  return spent;
}

async function bench(filled: Filled, folder: string): Promise<void> {
  const log = (name: string) => path.join(folder, `${name}.log`);
  const product = await startProduct(filled.product, secret, log('product'), settings);
  const sign = tokensFor(secret);
  try {
    const signed = await Promise.all(
      [...filled.couriers.slice(-callers - 1), ...filled.senders.slice(0, 1)].map(async (one) => ({
        ...one,
        token: await sign(one),
      })),
    );
    const [courier, sender] = [signed[0], signed.at(-1)];
    if (!courier || !sender) throw new Error('No people were seeded.');
    const stage: Stage = { product, callersOf: signed.slice(1, -1), log };
    const perChange: number[] = [];
    const bare: number[] = [];
    const listening: number[] = [];
    const usual: number[] = [];
    const idle = async () => (await spentDuring(product, () => after(idleMs))) / idleMs;
    await waits(stage, await follow(product.url, sender, courier));
    for (let round = 1; round <= rounds; round += 1) {
      say(`  round ${round} of ${rounds}…`);
      // Its own package: the timeline of one for all would be longer each round.
      const followed = await follow(product.url, sender, courier);
      const at = pathOf(trackingEventsPath, { token: followed.token });
      const changes = async () => {
        await change(product.url, followed);
        await after(settleMs);
      };
      const alone = (await spentDuring(product, changes)) - (await idle()) * busyMs;
      usual.push(await waits(stage, followed));
      const readers = await startReaders(
        { url: product.url, path: at, count: readerCount },
        log('readers'),
      );
      const listeningIdle = (await idle()) * busyMs;
      await counts(readers, '/reset');
      const busy = (await spentDuring(product, changes)) - listeningIdle;
      const { bytes, recorded } = await counts(readers);
      const events = recorded.filter(([, text]) => text.startsWith('event:'));
      // Two changes that the server reads at once are one event.
      if (events.length < changeCount * 0.9) throw new Error(`${events.length} events.`);
      const sent = events.reduce((sum, [, text]) => sum + Buffer.byteLength(text), 0);
      say(`    ${Math.round(sent / events.length)} bytes an event`);
      if (bytes < sent * readerCount) throw new Error('Some readers missed some of it.');
      // Phones are not on the server's machine: what they read may wait, the calls may not.
      setPriority(readers.pid, constants.priority.PRIORITY_LOW);
      await counts(readers, '/reset');
      listening.push(await waits(stage, followed));
      await after(settleMs);
      const { bytes: taken } = await counts(readers);
      if (taken < bytes * 0.9) throw new Error('Some readers were lost.');
      await readers.stop();
      perChange.push((busy - alone) / events.length);
      bare.push((await broadcast(events, log('broadcaster'))) / events.length);
      const [told, untold] = [listening.at(-1) ?? 0, usual.at(-1) ?? 0].map((ms) => ms.toFixed(1));
      say(`    p99 of a list call: ${told} ms, ${untold} without readers`);
    }
    const each = (ms: number) => (ms / readerCount) * 1000;
    const name = `${filled.name}, ${readerCount} readers of one link`;
    tell({
      figures: [
        {
          what: `${name}: of the processor, per reader and change`,
          unit: 'µs',
          kaya: each(median(perChange)),
          peer: each(median(bare)),
          mostRatio: 1,
          peerName: 'bare broadcaster',
        },
        {
          what: 'p99 of a list call while they listen',
          unit: 'ms',
          mostRatio: 1.5,
          kaya: median(listening),
          peer: median(usual),
          peerName: 'without readers',
        },
      ],
    });
  } finally {
    await product.stop();
  }
}

say('Writing to the readers of one link…');
await onDatabase(size, bench);
