/**
 * Two thousand couriers' streams while others create and accept packages: how long a change takes
 * to reach all of them, and the processor time of the server beside a bare broadcaster of the same
 * bytes. One process holds the phones' ends of the streams and writes, so one clock times both.
 */
import path from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { type Figure, say, tell } from '#bench/report.mjs';
import { areaShare, capacityOf, costs, costsIn } from '#bench/scaling.mjs';
import { caughtUp } from '#bench/server/cases.ts';
import { load } from '#bench/server/load.ts';
import { type Filled, onDatabase } from '#bench/server/places.ts';
import { type Running, start, startProduct } from '#bench/server/processes.ts';
import { backendsOf, between, spentByAll } from '#bench/server/processor-time.ts';
import {
  type Person,
  pulling,
  type Request,
  type SeededPerson,
  tokensFor,
} from '#bench/server/requests.ts';
import { connections, secret } from '#bench/server/stage.ts';
import type { Area } from '#contract/area.ts';
import type { BroadcasterSettings } from './broadcaster.ts';
import { type Counts, openStreams, type SeenRow, type Streams } from './streams.ts';
import { type Change, createWriters, freeOf } from './writers.ts';

/** One in ten is a courier. Each has four streams of the six one user may have. */
const size = { packages: 5_000, users: 5_000 };
const streamCount = 2_000;
const usualPace = 20;
/** For what a row costs apart from its batch. */
const fastPace = 80;
/** An area without any of the packages. */
const elsewhere = { lat: 6.52, lng: 3.38, km: 20 };
/** One heartbeat of each stream (server/config/timeouts). */
const windowMs = 25_000;
const warmUpMs = 8_000;
const drainMs = 10_000;
const pullMs = 5_000;
/** Ten couriers have 1,200 a minute each. */
const mostPulls = 10_000;
/** The settings of a deployment; the couriers are enough for its limits. */
const settings = { TILE_URL: 'off' };

interface Phase {
  changes: number;
  seconds: number;
  /** Until the last stream had the change; sorted. */
  latenciesMs: number[];
  serverMs: number;
  databaseMs: number;
  counts: Counts;
  recorded: Streams['recorded'];
}

/** When each change has reached every stream. */
function createTracker(streams: number) {
  const open = new Map<string, (Change & { sentAt: number; seen: Set<number> })[]>();
  const latenciesMs: number[] = [];
  return {
    /** Sorted; what has not arrived counts as long as it has been waited for. */
    latencies: () => {
      const waiting = [...open.values()].flat().map(({ sentAt }) => performance.now() - sentAt);
      return [...latenciesMs, ...waiting].sort((a, b) => a - b);
    },
    isComplete: () => open.size === 0,
    onChange: (change: Change) => {
      const known = open.get(change.id) ?? [];
      open.set(change.id, [...known, { ...change, sentAt: performance.now(), seen: new Set() }]);
    },
    onRow: (stream: number, { id, version }: SeenRow) => {
      const changes = open.get(id);
      if (!changes) return;
      for (const change of changes) if (version >= change.version) change.seen.add(stream);
      const left = changes.filter(({ seen }) => seen.size < streams);
      for (const { seen, sentAt } of changes) {
        if (seen.size === streams) latenciesMs.push(performance.now() - sentAt);
      }
      if (left.length === 0) open.delete(id);
      else if (left.length < changes.length) open.set(id, left);
    },
  };
}

async function until(isSo: () => boolean): Promise<boolean> {
  const end = performance.now() + drainMs;
  while (!isSo() && performance.now() < end) await after(50);
  return isSo();
}

interface Stage {
  product: Running;
  database: string;
  write: ReturnType<typeof createWriters>;
  /** One access token for each stream that may be opened. */
  tokens: readonly string[];
}

async function run(
  { product, database, write, tokens }: Stage,
  count: number,
  perSecond: number,
  area?: Area,
) {
  say(`  ${count} streams${area ? ' with an area' : ''}, ${perSecond} changes/s…`);
  const tracker = createTracker(count);
  const { url } = product;
  const streams = await openStreams({
    url,
    tokens: tokens.slice(0, count),
    area,
    onRow: tracker.onRow,
  });
  const backends = database.startsWith('postgres://') ? await backendsOf(database) : [];
  const groups = [[product.pid], backends];
  const before = groups.map(spentByAll);
  streams.reset();
  const begun = performance.now();
  // Not every change reaches streams with an area.
  const onChange = count === 0 || area ? undefined : tracker.onChange;
  const changes = await write({ url, perSecond, ms: windowMs, ...(onChange && { onChange }) });
  await until(tracker.isComplete);
  const latenciesMs = tracker.latencies();
  const seconds = (performance.now() - begun) / 1000;
  const [serverMs = 0, databaseMs = 0] = groups.map((pids, index) =>
    between(before[index] ?? new Map(), spentByAll(pids)),
  );
  streams.close();
  const { counts, recorded } = streams;
  return { changes, seconds, latenciesMs, serverMs, databaseMs, counts, recorded } as Phase;
}

/** List calls that find nothing new, from couriers in turn. */
async function pullNothing({ product, database }: Stage, couriers: readonly Person[]) {
  say('  list calls…');
  const some = couriers.slice(0, connections);
  const requests = await Promise.all(
    some.map(async (person) => pulling(person, await caughtUp(product, person))),
  );
  let changes = 0;
  const next = (): Request => {
    const request = requests[changes % requests.length];
    if (!request) throw new Error('No couriers were seeded.');
    changes += 1;
    return request;
  };
  const groups = [
    [product.pid],
    database.startsWith('postgres://') ? await backendsOf(database) : [],
  ];
  const before = groups.map(spentByAll);
  await load({ url: product.url, connections, next, ms: pullMs, requests: mostPulls });
  const [serverMs = 0, databaseMs = 0] = groups.map((pids, index) =>
    between(before[index] ?? new Map(), spentByAll(pids)),
  );
  return { changes, serverMs, databaseMs };
}

/** The same bytes at the same moments to as many streams: processor ms. */
async function broadcast(schedule: Streams['recorded'], logFile: string): Promise<number> {
  say('  the broadcaster…');
  const broadcaster = await start({
    entry: 'bench/broadcaster.js',
    env: { NODE_ENV: 'production' },
    readyLine: /ready at (\S+)/,
    logFile,
    stdin: JSON.stringify({ schedule } satisfies BroadcasterSettings),
  });
  const tokens = Array.from({ length: streamCount }, () => '');
  const streams = await openStreams({ url: broadcaster.url, tokens, onRow: () => undefined });
  const sent = schedule.reduce((sum, [, text]) => sum + Buffer.byteLength(text), 0) * streamCount;
  const before = spentByAll([broadcaster.pid]);
  streams.reset();
  await fetch(`${broadcaster.url}/begin`, { method: 'POST' });
  await after(schedule.at(-1)?.[0] ?? 0);
  // Chunks add a few bytes to the text.
  const hasAll = await until(() => streams.counts.bytes >= sent);
  const spent = between(before, spentByAll([broadcaster.pid]));
  streams.close();
  await broadcaster.stop();
  if (!hasAll) throw new Error(`The broadcaster sent ${streams.counts.bytes} of ${sent} bytes.`);
  return spent;
}

const quantile = (sorted: readonly number[], q: number) =>
  sorted[Math.ceil(sorted.length * q) - 1] ?? Number.NaN;

interface Phases {
  /** The `changes` of this phase count list calls. */
  pull: Pick<Phase, 'changes' | 'serverMs' | 'databaseMs'>;
  /** Without streams, at each pace: of many, each costs less. */
  writes: Phase;
  fastWrites: Phase;
  oneStream: Phase;
  idle: Phase;
  usual: Phase;
  fast: Phase;
  elsewhere: Phase;
}

interface Sent {
  batches: number;
  rows: number;
  ms: number;
}

/** ms of a batch and of a row in it, from two paces; where noise hides one of them, of the other alone. */
function sharesOf(one: Sent, two: Sent): { batch: number; row: number } {
  const row =
    (two.ms * one.batches - one.ms * two.batches) /
    (two.rows * one.batches - one.rows * two.batches);
  const batch = (one.ms - one.rows * row) / one.batches;
  if (row < 0) return { batch: Math.max(one.ms / one.batches, two.ms / two.batches), row: 0 };
  if (batch < 0) return { batch: 0, row: Math.max(one.ms / one.rows, two.ms / two.rows) };
  return { batch, row };
}

/** What each thing costs, from what the phases spent: server and database ms. */
function costsOf(phases: Phases): Figure[] {
  const { pull, writes, fastWrites, oneStream, idle, usual, fast } = phases;
  type Spent = 'serverMs' | 'databaseMs';
  const perChange = (what: Spent, alone: Phase) => alone[what] / alone.changes;
  // A difference of two phases: noise may not make it negative.
  const perRead = (what: Spent) =>
    Math.max(0, oneStream[what] - perChange(what, writes) * oneStream.changes) /
    oneStream.counts.batches;
  const idleMs = (what: Spent) => idle[what] / idle.seconds / streamCount;
  const fanOutMs = ({ changes, seconds, serverMs, counts }: Phase, alone: Phase) =>
    serverMs -
    changes * perChange('serverMs', alone) -
    (counts.batches / streamCount) * perRead('serverMs') -
    seconds * streamCount * idleMs('serverMs');
  const { batch, row } = sharesOf(
    { batches: usual.counts.batches, rows: usual.counts.rows, ms: fanOutMs(usual, writes) },
    { batches: fast.counts.batches, rows: fast.counts.rows, ms: fanOutMs(fast, fastWrites) },
  );
  const far = phases.elsewhere;
  const farChanges = far.changes * streamCount;
  const farMs = fanOutMs(far, writes) - far.counts.batches * batch - far.counts.rows * row;
  const figure = (what: string, unit: string, kaya: number): Figure => ({ what, unit, kaya });
  return [
    figure(`${costs.change}, server`, 'ms', perChange('serverMs', fastWrites)),
    figure(`${costs.change}, database`, 'ms', perChange('databaseMs', fastWrites)),
    figure(`${costs.read}, server`, 'ms', perRead('serverMs')),
    figure(`${costs.read}, database`, 'ms', perRead('databaseMs')),
    figure(`${costs.pull}, server`, 'ms', pull.serverMs / pull.changes),
    figure(`${costs.pull}, database`, 'ms', pull.databaseMs / pull.changes),
    figure(`${costs.idleStream}, server`, 'ms/s', idleMs('serverMs')),
    figure(`${costs.idleStream}, database`, 'ms/s', idleMs('databaseMs')),
    figure(`${costs.batch}, server`, 'µs', batch * 1000),
    figure(`${costs.row}, server`, 'µs', row * 1000),
    figure(costs.rowBytes, 'bytes', usual.counts.bytes / usual.counts.rows),
    figure(`${costs.elsewhere}, server`, 'µs', Math.max(0, farMs / farChanges) * 1000),
    figure(costs.elsewhereRows, 'rows', far.counts.rows / farChanges),
    figure(costs.elsewhereBytes, 'bytes', far.counts.bytes / farChanges),
  ];
}

function figuresOf(name: string, phases: Phases, bareMs: number): Figure[] {
  const { usual, writes, idle } = phases;
  const what = `${name}, ${streamCount} streams, ${usualPace} changes/s`;
  const { rows, pulls } = usual.counts;
  // What the changes cost without streams is not fan-out; everything else is, reads and heartbeats too.
  const fanOutMs = usual.serverMs - (writes.serverMs / writes.changes) * usual.changes;
  const ofCore = (ms: number) => (ms / usual.seconds / 1000) * 100;
  return [
    {
      what: `${what}: a change to all streams, p99`,
      unit: 'ms',
      most: 1000,
      kaya: quantile(usual.latenciesMs, 0.99),
    },
    { what: 'of that, p50', unit: 'ms', kaya: quantile(usual.latenciesMs, 0.5) },
    {
      what: 'of the processor, per row and stream',
      unit: 'µs',
      mostRatio: 2,
      kaya: (fanOutMs / rows) * 1000,
      peer: (bareMs / rows) * 1000,
      peerName: 'bare broadcaster',
    },
    { what: 'of that, the server in all', unit: '% of a core', kaya: ofCore(usual.serverMs) },
    { what: 'of that, the database', unit: '% of a core', kaya: ofCore(usual.databaseMs) },
    { what: 'events after which a phone pulls', unit: 'events', kaya: pulls, most: 0 },
    {
      what: `${streamCount} idle streams, the server in all`,
      unit: '% of a core',
      kaya: (idle.serverMs / idle.seconds / 1000) * 100,
    },
  ];
}

/** On paper, from the costs of this run (docs/scaling.md). */
function capacitiesOf(figures: readonly Figure[]): Figure[] {
  const cost = costsIn(figures);
  if (!cost) throw new Error('A cost could not be measured.');
  const perDay = (cores: number, share: number) => capacityOf(cost, cores, share);
  const of = { unit: 'packages/day' };
  return [
    { what: 'on paper: two cores, all offers to all', ...of, kaya: perDay(2, 1), least: 250_000 },
    { what: 'a twentieth to each', ...of, kaya: perDay(2, areaShare), least: 250_000 },
    { what: 'on paper: eight cores, all offers to all', ...of, kaya: perDay(8, 1), least: 1e6 },
    { what: 'a twentieth to each', ...of, kaya: perDay(8, areaShare), least: 1e6 },
  ];
}

async function bench(filled: Filled, folder: string): Promise<void> {
  const log = (name: string) => path.join(folder, `${name}.log`);
  const { database } = filled.product;
  const product = await startProduct(filled.product, secret, log('product'), settings);
  const sign = tokensFor(secret);
  const signed = (people: readonly SeededPerson[]): Promise<Person[]> =>
    Promise.all(people.map(async (one) => ({ ...one, token: await sign(one) })));
  try {
    const [couriers, senders] = [await signed(filled.couriers), await signed(filled.senders)];
    const write = createWriters({
      senders,
      couriers: freeOf(couriers, size.packages),
      offers: filled.offers.toReversed(),
    });
    const tokens = Array.from(
      { length: streamCount },
      (_, index) => couriers[index % couriers.length]?.token ?? '',
    );
    const stage: Stage = { product, database, write, tokens };
    // Compiled code: the cost of a change without streams is subtracted from that with them.
    await write({ url: product.url, perSecond: fastPace, ms: warmUpMs });
    const phases: Phases = {
      pull: await pullNothing(stage, couriers),
      writes: await run(stage, 0, usualPace),
      fastWrites: await run(stage, 0, fastPace),
      oneStream: await run(stage, 1, usualPace),
      idle: await run(stage, streamCount, 0),
      usual: await run(stage, streamCount, usualPace),
      fast: await run(stage, streamCount, fastPace),
      elsewhere: await run(stage, streamCount, usualPace, elsewhere),
    };
    const bareMs = await broadcast(phases.usual.recorded, log('broadcaster'));
    const figures = [...figuresOf(filled.name, phases, bareMs), ...costsOf(phases)];
    tell({ figures: [...figures, ...capacitiesOf(figures)] });
  } finally {
    await product.stop();
  }
}

say('Fanning out…');
await onDatabase(size, bench);
