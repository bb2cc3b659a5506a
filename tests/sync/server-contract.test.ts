/**
 * The engine tests' fake server behaves like the real one: both get the same random calls by the
 * same users, and answers, refusals, versions and visible rows are compared.
 */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ApiFailure } from '#api/failure.ts';
import type { PulledPage } from '#api/pulled-page.ts';
import { disputeKinds, type OpenDisputeBody } from '#contract/dispute.ts';
import { type RecordEventBody, recordedTypes } from '#contract/event.ts';
import type { CreatePackageBody, PatchPackageBody, WirePackage } from '#contract/package.ts';
import type { PatchUserBody } from '#contract/user.ts';
import { type Package, packageFromWire } from '#domain/package.ts';
import type { User } from '#domain/user.ts';
import type { SyncApi } from '#sync/ports.ts';
import { type PatchField, patchValues } from '#tests/builders/patch-values.ts';
import { apiOf, StrictServer } from '#tests/fakes/strict-server.ts';
import { fileStage, type Person, packageBody } from '#tests/server/stage.ts';
import { rounds } from '#tests/size.ts';
import { type Chance, createChance } from './model/chance.ts';
import { realClient } from './real-client.ts';

const stage = fileStage();

type Call =
  | { name: 'create'; body: CreatePackageBody }
  | { name: 'patch'; id: string; body: PatchPackageBody }
  | { name: 'event'; id: string; body: RecordEventBody }
  | { name: 'dispute'; id: string; body: OpenDisputeBody }
  | { name: 'delete'; id: string }
  | { name: 'profile'; body: PatchUserBody }
  | { name: 'get'; id: string };

const kinds = {
  create: 12,
  accept: 25,
  patch: 40,
  event: 40,
  dispute: 6,
  delete: 4,
  profile: 8,
  get: 4,
} as const;

const idsOf = (people: readonly Person[]) => people.map(({ id }) => id);

/** What both sides have been sent, to choose from. */
interface Known {
  people: readonly Person[];
  packages: Map<string, number>;
  users: Map<string, number>;
  /** The ids of events recorded of a package, or tried to. */
  events: Map<string, string[]>;
  number: number;
}

/** No code is right: each server makes its own. */
const proofs: RecordEventBody['proof'][] = [
  {},
  { code: '000000' },
  { qr: 'x'.repeat(22) },
  { photoIds: [randomUUID()], recipientName: 'Musa', relation: 'recipient' },
];

function nextCall(chance: Chance, actor: Person, known: Known): Call {
  const { people, packages, number } = known;
  const kind = packages.size < 3 ? 'create' : chance.weighted(kinds);
  const [id, version] = chance.pick(
    [...packages].slice(-4).length > 0 ? [...packages].slice(-4) : [['', 0] as const],
  );
  const base = chance.isTrue(0.6)
    ? { baseVersion: Math.max(0, version - chance.pick([0, 0, 1, 2])) }
    : {};
  if (kind === 'create') {
    const body = packageBody({
      _id: chance.isTrue(0.9) ? randomUUID() : id || randomUUID(),
      recipientEmail: null,
      notes: null,
      deliveryDate: null,
      ...(chance.isTrue(0.3) ? { senderId: chance.pick(people).id } : {}),
    });
    return { name: 'create', body: body as CreatePackageBody };
  }
  if (kind === 'accept') {
    return {
      name: 'patch',
      id,
      body: { deliveryPersonId: actor.id, deliveryStatus: 'In Transit', ...base },
    };
  }
  if (kind === 'event') {
    const reason = chance.pick(['refused', 'closed'] as const);
    const details = {
      attempt_failed: { reason },
      handover: { courierId: chance.pick(people).id },
      corrected: { corrects: known.events.get(id)?.at(chance.pick([-1, -1, -2])) ?? randomUUID() },
      delivered: { proof: chance.pick(proofs), ...(chance.isTrue(0.2) && { cashCollected: true }) },
      returned: { proof: chance.pick(proofs) },
    } as const;
    const type = chance.pick(recordedTypes);
    const more = type in details ? details[type as keyof typeof details] : {};
    const occurredAt = new Date().toISOString();
    const _id = randomUUID();
    known.events.set(id, [...(known.events.get(id) ?? []), _id]);
    return { name: 'event', id, body: { _id, type, occurredAt, ...more } as RecordEventBody };
  }
  if (kind === 'dispute') {
    const body = { _id: randomUUID(), kind: chance.pick(disputeKinds), text: `Case ${number}` };
    return { name: 'dispute', id, body };
  }
  if (kind === 'delete' || kind === 'get') return { name: kind, id };
  if (kind === 'profile') {
    const user = chance.isTrue(0.8) ? actor : chance.pick(people);
    const changes = chance.pick<Partial<PatchUserBody>>([
      { firstName: `Name ${number}` },
      { phoneNumber: `+234803${1_000_000 + number}` },
      { address: null },
      { address: `${number} Zoo Road`, vehicle: 'Bike' },
    ]);
    const seen = known.users.get(user.id) ?? 0;
    return { name: 'profile', body: { id: user.id, ...changes, baseVersion: seen } };
  }
  const values = patchValues(idsOf(people), number);
  const names = Object.keys(values) as PatchField[];
  const chosen = chance.isTrue(0.6)
    ? [chance.pick(names)]
    : [chance.pick(names), chance.pick(names)];
  const body = Object.fromEntries(chosen.map((name) => [name, chance.pick<unknown>(values[name])]));
  return { name: 'patch', id, body: { ...body, ...base } };
}

interface Step {
  index: number;
  call: Call;
}

/** By whom in `bothServers`. */
const [sender, courier] = [0, 2];

/**
 * A package of the first person on offer, and one in transit with a courier, before and after the
 * pick-up: of each, every value of every field, by everyone in turn or by those two. Then the courier
 * changes. And more on offer, for each value with an acceptance.
 */
function everyChange(people: readonly Person[]): Step[] {
  const empty = { recipientEmail: null, notes: null, deliveryDate: null };
  const create = (id: string): Step => {
    const body = packageBody({ _id: id, ...empty }) as CreatePackageBody;
    return { index: sender, call: { name: 'create', body } };
  };
  const patch = (id: string, index: number, body: PatchPackageBody): Step => ({
    index,
    call: { name: 'patch', id, body },
  });
  const pickUp = (id: string): Step => {
    const body = {
      _id: randomUUID(),
      type: 'picked_up',
      occurredAt: stage().now().toISOString(),
    } as const;
    return { index: courier, call: { name: 'event', id, body } };
  };
  const admin = people.length - 1;
  const [offered, carried] = [randomUUID(), randomUUID()];
  const self = people[courier]?.id ?? null;
  const bodies = Object.entries(patchValues(idsOf(people), 0)).flatMap(([name, values]) =>
    values.map((value: unknown): PatchPackageBody => ({ [name]: value })),
  );
  const byEach = (id: string, indices: readonly number[], some = bodies) =>
    some.flatMap((body) => indices.map((index) => patch(id, index, body)));
  const ofOthers = bodies.filter(
    (body) => !('deliveryPersonId' in body || 'deliveryStatus' in body),
  );
  return [
    create(offered),
    ...byEach(offered, [...people.keys()]),
    create(carried),
    patch(carried, courier, { deliveryPersonId: self }),
    ...byEach(carried, [sender, courier], ofOthers),
    // What a courier set goes with them.
    patch(carried, courier, { deliveryPersonId: null, deliveryStatus: 'Pending' }),
    patch(carried, courier, { deliveryPersonId: self }),
    pickUp(carried),
    ...byEach(carried, [sender, courier], ofOthers),
    patch(carried, admin, { deliveryPersonId: null, deliveryStatus: 'Pending' }),
    patch(carried, courier, { deliveryPersonId: self }),
    // With an acceptance, which the real server has a shorter way for.
    ...ofOthers.flatMap((body) => {
      const id = randomUUID();
      const taking = { ...body, deliveryPersonId: self, deliveryStatus: 'In Transit' };
      return [create(id), patch(id, courier, taking)];
    }),
  ];
}

async function answerOf(
  api: SyncApi,
  call: Call,
  key: string,
  writer: Parameters<SyncApi['patchPackage']>[3],
) {
  try {
    if (call.name === 'create') return await api.createPackage(call.body, key);
    if (call.name === 'patch') return await api.patchPackage(call.id, call.body, key, writer);
    if (call.name === 'event') return await api.recordEvent(call.id, call.body, key);
    if (call.name === 'dispute') return await api.openDispute(call.id, call.body, key);
    if (call.name === 'profile') return await api.patchUser(call.body, key, writer);
    if (call.name === 'get') return await api.getPackage(call.id);
    await api.deletePackage(call.id, key);
    return null;
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    const { code, status, fields = {} } = error.failure;
    const names = code === 'conflict' ? Object.keys(fields).sort() : [];
    return { code, status, fields: names, current: comparable(error.current ?? null) };
  }
}

/**
 * Without what only the real server has: its numbers, and the returns visible to admins. Of codes
 * and links, and of when an event happened, only whether: the fake server knows no chance and one clock.
 */
function comparable(row: unknown) {
  if (typeof row !== 'object' || row === null) return row;
  const { packageId: _, givenBackAt: __, ...rest } = row as Partial<Package & User>;
  if (!('deliveredAt' in rest)) return rest;
  const { deliveredAt, lastAttempt, trackingPath, ...others } = rest;
  const { dropoffCode, returnCode, dropoffToken, dropoffTokenHash } = others;
  const codes = { dropoffCode, returnCode, dropoffToken, dropoffTokenHash, trackingPath };
  return {
    ...rest,
    deliveredAt: deliveredAt !== null,
    lastAttempt: lastAttempt?.reason,
    ...Object.fromEntries(Object.entries(codes).map(([name, code]) => [name, code !== null])),
  };
}

/** The list for other clients, which is read apart from the deltas. */
async function plainList(person: Person) {
  const { body } = await stage().send<WirePackage[]>(person, 'GET', '/api/packages');
  return Object.fromEntries(body.map((row) => [row._id, comparable(packageFromWire(row))]));
}

/** One user's view of a list, updated by deltas. */
function mirrorOf<Row extends { id: string }>(pull: (since: string) => Promise<PulledPage<Row>>) {
  const rows = new Map<string, unknown>();
  let since = '';
  return async () => {
    for (let isMore = true; isMore; ) {
      const page = await pull(since);
      if (page.isReset) rows.clear();
      for (const row of page.rows) rows.set(row.id, comparable(row));
      for (const id of page.removedIds) rows.delete(id);
      since = page.cursor ?? '';
      isMore = page.hasMore;
    }
    return Object.fromEntries([...rows].sort(([a], [b]) => (a < b ? -1 : 1)));
  };
}

function fakeClient(server: StrictServer, userId: string): SyncApi {
  const ask = async <T>(request: Parameters<StrictServer['begin']>[1]) =>
    structuredClone(server.begin(userId, request)()) as T;
  return apiOf(ask);
}

/** The same users on both servers, each with a client and mirrors of either. */
async function bothServers() {
  const people = [
    await stage().person('Customer', 'Amina'),
    await stage().person('Customer', 'Ladi'),
    await stage().person('Employee', 'Sani'),
    await stage().person('Employee', 'Bala'),
    await stage().person('Employee', null),
    await stage().admin(),
  ];
  const fake = new StrictServer(
    () => {},
    () => stage().now().getTime(),
  );
  const users = new Map<string, number>();
  const clients = people.map((person) => realClient(stage, person).api);
  const { rows } = await (clients.at(-1) as SyncApi).pullUsers('');
  for (const { version, ...body } of rows) {
    const versions = { version: version - 1, fieldVersions: {}, fieldWriters: {} };
    fake.rows.writeUser({ body, ...versions, changedAt: 0, partyChangedAt: 0 });
    users.set(body.id, version);
  }
  const sides = people.map((person, index) =>
    [clients[index] as SyncApi, fakeClient(fake, person.id)].map((api) => ({
      api,
      packages: mirrorOf((since) => api.pullPackages(since)),
      users: mirrorOf((since) => api.pullUsers(since)),
    })),
  );
  return { people, users, sides };
}

describe('the fake and the real server', () => {
  it('answer the same and show each user the same', async () => {
    const chance = createChance(1);
    const { people, users, sides } = await bothServers();
    const known: Known = { people, users, packages: new Map(), events: new Map(), number: 0 };
    const outboxes = people.map(() => randomUUID());
    const opening = everyChange(people);
    const steps = opening.length + rounds(150, 1_500);
    let applied = 0;
    const changed = new Set<string>();
    for (let step = 0; step < steps; step += 1) {
      known.number += 1;
      stage().pass(1_000);
      // The admin, the last user, may do the most.
      const index =
        opening[step]?.index ??
        (chance.isTrue(0.3) ? people.length - 1 : chance.whole(people.length));
      const actor = people[index] as Person;
      const [real, fake] = sides[index] ?? [];
      if (!real || !fake) throw new Error('No such person.');
      const call: Call = opening[step]?.call ?? nextCall(chance, actor, known);
      const [key, writer] = [randomUUID(), { outboxId: outboxes[index] ?? '', order: step }];
      const label = `${step} ${actor.email} ${JSON.stringify(call)}`;
      const answers = [];
      for (const { api } of [real, fake]) answers.push(await answerOf(api, call, key, writer));
      expect(comparable(answers[1]), label).toEqual(comparable(answers[0]));
      const row = answers[0];
      if (row && 'version' in row) {
        applied += 1;
        const before = known.packages.get(row.id) ?? row.version;
        const [field, ...others] = call.name === 'patch' ? Object.keys(call.body) : [];
        if (step < opening.length && field && others.length === 0 && row.version > before) {
          changed.add(field);
        }
        ('sender' in row ? known.packages : known.users).set(row.id, row.version);
      }
      if (chance.isTrue(0.2)) {
        const repeated = chance.isTrue(0.8) ? call : nextCall(chance, actor, known);
        const again = [];
        for (const { api } of [real, fake]) again.push(await answerOf(api, repeated, key, writer));
        expect(comparable(again[1]), `${label}, repeated`).toEqual(comparable(again[0]));
      }
      if (chance.isTrue(0.15)) {
        const packages = await real.packages();
        expect(await fake.packages(), label).toEqual(packages);
        expect(await plainList(actor), label).toEqual(packages);
        expect(await fake.users(), label).toEqual(await real.users());
      }
    }
    expect(applied).toBeGreaterThan(steps / 4);
    const { paymentMethod: _, ...changeable } = patchValues(idsOf(people), 0);
    expect([...changed].sort()).toEqual(Object.keys(changeable).sort());
    for (const [real, fake] of sides) {
      expect(await fake?.packages()).toEqual(await real?.packages());
      expect(await fake?.users()).toEqual(await real?.users());
    }
  }, 240_000);
});
