/**
 * What a dispatcher recorded for a courier without a network, and their phone sends later as well
 * (docs/decisions/0093): it counts as done, moves nothing again, and what it proves is kept.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { pathOf, routes } from '#contract/routes.ts';
import type { Tracking } from '#contract/tracking.ts';
import { audit } from '#server/modules/ledger/audit.ts';
import { walletOf } from '#server/modules/ledger/repository.ts';
import { type Details, packageCalls, photo, type Step, wrongCode } from './package-calls.ts';
import { codeOf, fileStage, outcomeOf, type Person } from './stage.ts';

const stage = fileStage();
afterAll(async () => {
  expect(await audit(stage().db)).toEqual([]);
});

const { put, read, eventsFor, ...calls } = packageCalls(stage);
const record = (who: Person, id: string, type: Step, details: Details = {}) => {
  stage().pass(1000);
  return calls.record(who, id, type, details);
};

async function carried(changes: Record<string, unknown> = {}) {
  const [sender, courier] = await stage().people('Customer', 'Employee');
  const admin = await stage().admin();
  await stage().give(sender, 1_000_000);
  const terms = { handover: 'code', paymentMethod: 'app', ...changes };
  const made = await stage().created(sender, terms);
  await stage().accept(courier, made);
  const purses = () => Promise.all([sender, courier].map(({ id }) => walletOf(stage().db, id)));
  return { sender, courier, admin, made, id: made._id, purses };
}

const failed: [Step, Details] = ['attempt_failed', { reason: 'refused' }];

type Queue = (codes: { dropoff: string; back: string }) => [Step, Details?][];
const table: Record<string, { first?: Queue; told: Queue; queued: Queue }> = {
  'picked up': { told: () => [['picked_up']], queued: () => [['picked_up']] },
  delivered: { told: () => [['delivered']], queued: () => [['delivered']] },
  'delivered, with a photo': {
    first: () => [['picked_up']],
    told: () => [['delivered']],
    queued: () => [['delivered', { proof: photo() }]],
  },
  'delivered, with the code': {
    first: () => [['picked_up'], ['arrived']],
    told: () => [['delivered']],
    queued: ({ dropoff: code }) => [['delivered', { proof: { code } }]],
  },
  'delivered, with all that led to it': {
    told: () => [['delivered']],
    queued: () => [
      ...([['picked_up'], failed, ['arrived']] as [Step, Details?][]),
      ['delivered', { proof: photo() }],
    ],
  },
  'return started': {
    first: () => [['picked_up'], failed],
    told: () => [['return_started']],
    queued: () => [['return_started']],
  },
  'returned, with the code': {
    first: () => [['picked_up'], failed],
    told: () => [['return_started'], ['returned']],
    queued: ({ back: code }) => [['return_started'], ['returned', { proof: { code } }]],
  },
  'going back, after an attempt': {
    first: () => [['picked_up']],
    told: () => [['return_started']],
    queued: () => [['arrived'], failed],
  },
};

describe('what a dispatcher recorded before its courier', () => {
  it.each(Object.entries(table))('%s', async (_, { first, told, queued }) => {
    const { sender, courier, admin, made, id, purses } = await carried();
    const codes = { dropoff: made.dropoffCode ?? '', back: made.returnCode ?? '' };
    const by = async (who: Person, queue: Queue = () => []) => {
      for (const [type, details] of queue(codes)) {
        expect(outcomeOf(await record(who, id, type, details)), type).toEqual([201, undefined]);
      }
    };
    await by(courier, first);
    await by(admin, told);
    const [before, money] = [await read(sender, id), await purses()];
    const length = (await eventsFor(sender, id)).length;
    await by(courier, queued);
    const { version, updatedAt: __, ...after } = await read(sender, id);
    expect(after).toEqual({ ...after, ...before, version: undefined, updatedAt: undefined });
    expect(version).toBeGreaterThan(before.version);
    expect(await purses()).toEqual(money);
    const added = (await eventsFor(sender, id)).slice(length);
    expect(added.map(({ type, isRepeat }) => [type, isRepeat])).toEqual(
      queued(codes).map(([type]) => [type, true]),
    );
  });

  it('by a PATCH is known as well', async () => {
    const { courier, admin, made, id } = await carried();
    await stage().deliver(admin, made);
    expect((await record(courier, id, 'delivered', { proof: photo() })).status).toBe(201);
  });

  it('does not keep the courier from what comes after it', async () => {
    const { courier, admin, id } = await carried();
    await record(admin, id, 'picked_up');
    for (const [type, progress] of [
      ['picked_up', 'picked_up'],
      ['arrived', 'arrived'],
      ['delivered', null],
    ] as const) {
      const details = type === 'delivered' ? { proof: photo() } : {};
      const { status, body } = await record(courier, id, type, details);
      expect([status, body.progress]).toEqual([201, progress]);
    }
  });
});

describe('a step that says again what another recorded', () => {
  it('brings its pictures, for sender and recipient; the page tells of one delivery', async () => {
    const { sender, courier, admin, made, id } = await carried();
    await record(admin, id, 'delivered');
    const proof = photo();
    await record(courier, id, 'picked_up');
    await record(courier, id, 'delivered', { proof });
    const [photoId = ''] = proof.photoIds;
    expect((await put(courier, id, photoId)).status).toBe(200);
    const last = (await eventsFor(sender, id)).at(-1);
    expect(last).toMatchObject({ type: 'delivered', proof: { photoIds: [photoId] } });
    const token = made.trackingPath?.split('/').at(-1) ?? '';
    const path = pathOf(routes.getTracking.path, { token });
    const { body } = await stage().send<Tracking>(null, 'GET', path);
    expect(body.photoIds).toEqual([photoId]);
    expect(body.timeline.map(({ type }) => type)).toEqual(['created', 'accepted', 'delivered']);
  });

  it('says that cash was taken, which the dispatcher did not know', async () => {
    const { courier, admin, id } = await carried({ paymentMethod: 'cash' });
    await record(admin, id, 'delivered');
    const { body } = await record(courier, id, 'delivered', {
      proof: photo(),
      cashCollected: true,
    });
    expect(body.paymentStatus).toBe('paid');
    expect((await eventsFor(admin, id)).at(-1)?.type).toBe('paid');
  });

  it('is not what is taken back: the dispatcher takes back theirs, with the money', async () => {
    const { courier, admin, id, purses } = await carried();
    const held = await purses();
    await record(admin, id, 'delivered');
    const [step] = (await eventsFor(admin, id)).filter(({ type }) => type === 'delivered');
    const own = await record(courier, id, 'delivered', { proof: photo() });
    expect(own.status).toBe(201);
    const repeat = (await eventsFor(admin, id)).at(-1);
    const undone = await record(courier, id, 'corrected', { corrects: repeat?._id ?? '' });
    expect(outcomeOf(undone)).toEqual([409, 'invalid_state']);
    const { status, body } = await record(admin, id, 'corrected', { corrects: step?._id ?? '' });
    expect([status, body.deliveryStatus]).toEqual([201, 'In Transit']);
    expect(await purses()).toEqual(held);
  });

  it('is none of a return that a delivery overruled, also once that is taken back', async () => {
    const { sender, courier, admin, made, id } = await carried();
    await record(courier, id, 'picked_up');
    await record(courier, id, ...failed);
    await record(sender, id, 'return_started');
    const delivery = { _id: randomUUID(), proof: { code: made.dropoffCode ?? '' } };
    expect((await record(courier, id, 'delivered', delivery)).status).toBe(201);
    expect((await record(admin, id, 'corrected', { corrects: delivery._id })).status).toBe(201);
    // It would move nothing, and so may not count as done.
    const again = await record(courier, id, 'attempt_failed', { reason: 'weather' });
    expect(outcomeOf(again)).toEqual([409, 'invalid_state']);
  });

  it('with a wrong code is refused, and the guess counts', async () => {
    const { courier, admin, made, id } = await carried();
    await record(admin, id, 'delivered');
    const code = wrongCode(made.dropoffCode ?? '');
    const answer = await record(courier, id, 'delivered', { proof: { code } });
    expect(answer.body).toMatchObject({ code: 'wrong_code', triesLeft: 4 });
  });

  it.each<[string, Step, Step]>([
    ['what the courier recorded themselves', 'delivered', 'delivered'],
    ['another step', 'delivered', 'returned'],
    ['what comes after it', 'picked_up', 'return_started'],
  ])('is not %s', async (name, told, queued) => {
    const { courier, admin, id } = await carried({ handover: 'none' });
    const isOwn = name.includes('themselves');
    await record(isOwn ? courier : admin, id, told, isOwn ? { proof: photo() } : {});
    expect(await codeOf(record(courier, id, queued))).toBe('invalid_state');
  });

  it('is of the courier who has the package, and of nobody else', async () => {
    const { sender, admin, id } = await carried();
    const other = await stage().person('Employee');
    await record(admin, id, 'delivered');
    expect(await codeOf(record(other, id, 'delivered'))).toBe('not_found');
    expect(await codeOf(record(sender, id, 'delivered'))).toBe('invalid_state');
  });
});
