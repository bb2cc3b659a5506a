/** The events of a package: who records what, when it happened, who reads it. */
import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { RecordEventBody, WireEvent } from '#contract/event.ts';
import type { WirePackage } from '#contract/package.ts';
import { createdPackage, fileStage, type Person } from './stage.ts';

const stage = fileStage();
const at = () => stage().now();

async function carried() {
  const sender = await stage().person('Customer');
  const courier = await stage().person('Employee');
  const { _id } = await createdPackage(stage(), sender);
  stage().pass(60_000);
  await stage().send(courier, 'PATCH', `/api/packages/${_id}`, {
    body: { deliveryPersonId: courier.id, deliveryStatus: 'In Transit' },
  });
  return { sender, courier, id: _id };
}

type Details = Partial<RecordEventBody>;

const record = (
  who: Person,
  id: string,
  type: RecordEventBody['type'],
  details: Details = {},
  headers: Record<string, string> = {},
) =>
  stage().send<WirePackage & { code: string; fields: Record<string, string> }>(
    who,
    'POST',
    `/api/packages/${id}/events`,
    { body: { _id: randomUUID(), type, occurredAt: at().toISOString(), ...details }, headers },
  );

const eventsFor = async (who: Person, id: string) =>
  (await stage().send<WireEvent[]>(who, 'GET', `/api/packages/${id}/events`)).body;

describe('a delivery', () => {
  it('goes from step to step, and each is an event of the person who recorded it', async () => {
    const { sender, courier, id } = await carried();
    const failed = { reason: 'recipient_unavailable', note: 'Nobody opened.' } as const;
    const steps = [
      ['picked_up', {}, 'picked_up'],
      ['arrived', {}, 'arrived'],
      ['attempt_failed', failed, 'attempted'],
      ['arrived', {}, 'arrived'],
      ['delivered', {}, null],
    ] as const;
    for (const [type, details, progress] of steps) {
      stage().pass(60_000);
      const { status, body } = await record(courier, id, type, details);
      expect([status, body.progress]).toEqual([201, progress]);
    }
    const { body } = await stage().send<WirePackage>(sender, 'GET', `/api/packages/${id}`);
    expect(body).toMatchObject({
      deliveryStatus: 'Delivered',
      attempts: 1,
      deliveredAt: at().toISOString(),
      lastAttempt: { reason: 'recipient_unavailable' },
    });
    const events = await eventsFor(sender, id);
    expect(events.map(({ type }) => type)).toEqual([
      ...['created', 'accepted', 'picked_up', 'arrived', 'attempt_failed', 'arrived', 'delivered'],
    ]);
    expect(events.map(({ actor }) => actor?.id)).toEqual([
      sender.id,
      ...Array.from({ length: 6 }, () => courier.id),
    ]);
    expect(events[4]).toMatchObject({
      reason: failed.reason,
      note: failed.note,
      timeTrust: 'high',
    });
  });

  it('that fails goes back to the sender, who ends it', async () => {
    const { sender, courier, id } = await carried();
    await record(courier, id, 'picked_up');
    await record(courier, id, 'attempt_failed', { reason: 'refused' });
    expect((await record(courier, id, 'return_started')).body.progress).toBe('returning');
    expect((await record(courier, id, 'delivered')).body.code).toBe('invalid_state');
    expect((await record(courier, id, 'returned')).body.code).toBe('proof_required');
    const { body } = await record(sender, id, 'returned');
    expect(body).toMatchObject({
      deliveryStatus: 'Cancelled',
      outcome: 'returned',
      progress: null,
      attempts: 1,
    });
  });

  it('cannot be rejected after the pick-up, but handed over by an admin', async () => {
    const { courier, id } = await carried();
    const other = await stage().person('Employee');
    const admin = await stage().admin();
    stage().pass(60_000);
    await record(courier, id, 'picked_up');
    stage().pass(60_000);
    const path = `/api/packages/${id}`;
    const reject = { body: { deliveryPersonId: null, deliveryStatus: 'Pending' } };
    const refused = await stage().send<{ code: string }>(courier, 'PATCH', path, reject);
    expect([refused.status, refused.body.code]).toEqual([409, 'picked_up']);
    const { body } = await record(admin, id, 'handover', { courierId: other.id });
    expect([body.deliveryPersonId?._id, body.progress]).toEqual([other.id, 'picked_up']);
    expect((await eventsFor(other, id)).map(({ type }) => type)).toEqual(['handover']);
    expect((await stage().send(courier, 'GET', `${path}/events`)).status).toBe(404);
  });

  it.each([
    ['attempt_failed', {}, 'reason'],
    ['attempt_failed', { reason: 'other' }, 'note'],
    ['handover', {}, 'courierId'],
  ] as const)('%s with %j is refused for want of %s', async (type, details, field) => {
    const { courier, id } = await carried();
    const { status, body } = await record(courier, id, type, details);
    expect([status, Object.keys(body.fields)]).toEqual([422, [field]]);
  });

  it('records an event once, however often it arrives', async () => {
    const { courier, id } = await carried();
    const body = { _id: randomUUID(), type: 'picked_up', occurredAt: at().toISOString() };
    const path = `/api/packages/${id}/events`;
    const headers = { 'idempotency-key': body._id };
    const answers = [];
    for (let time = 0; time < 3; time += 1) {
      answers.push((await stage().send(courier, 'POST', path, { body, headers })).status);
    }
    expect(answers).toEqual([201, 201, 201]);
    expect((await eventsFor(courier, id)).map(({ type }) => type)).toEqual([
      'accepted',
      'picked_up',
    ]);
    const again = await carried();
    const taken = await record(again.courier, again.id, 'picked_up', { _id: body._id });
    expect([taken.status, taken.body.code]).toEqual([409, 'id_taken']);
  });
});

describe('every other change', () => {
  it('writes its event', async () => {
    const sender = await stage().person('Customer');
    const [courier, other] = [await stage().person('Employee'), await stage().person('Employee')];
    const admin = await stage().admin();
    const { _id: id } = await createdPackage(stage(), sender);
    const patch = (who: Person, body: object) =>
      stage().send(who, 'PATCH', `/api/packages/${id}`, { body });
    await patch(sender, { notes: 'Ring twice' });
    await patch(sender, { priceOffer: 1750 });
    await patch(courier, { deliveryPersonId: courier.id, deliveryStatus: 'In Transit' });
    await patch(sender, { notes: 'Ring once' });
    await patch(courier, { deliveryPersonId: null, deliveryStatus: 'Pending' });
    await patch(admin, { deliveryPersonId: other.id });
    await patch(other, { deliveryStatus: 'Delivered', paymentStatus: 'paid' });
    await patch(admin, { paymentStatus: 'unpaid' });
    await patch(admin, { deliveryStatus: 'In Transit' });
    await patch(admin, { deliveryStatus: 'Cancelled' });
    const events = await eventsFor(sender, id);
    expect(events.map(({ type, fields }) => (fields ? [type, ...fields].join(' ') : type))).toEqual(
      [
        ...['created', 'edited notes', 'offer_changed priceOffer', 'accepted', 'edited notes'],
        ...['unassigned', 'assigned', 'delivered', 'paid', 'edited paymentStatus', 'reopened'],
        'cancelled',
      ],
    );
    expect(events.map(({ seq }) => seq)).toEqual(
      events.map(({ seq }) => seq).sort((a, b) => a - b),
    );
  });

  it('is read from one’s own assignment on', async () => {
    const { sender, courier, id } = await carried();
    const types = async (who: Person) => (await eventsFor(who, id)).map(({ type }) => type);
    expect(await types(sender)).toEqual(['created', 'accepted']);
    expect(await types(courier)).toEqual(['accepted']);
    const stranger = await stage().person('Customer');
    const path = `/api/packages/${id}/events`;
    expect((await stage().send(stranger, 'GET', path)).status).toBe(404);
    const offer = await createdPackage(stage(), sender);
    expect(await eventsFor(courier, offer._id)).toEqual([]);
  });

  it.each([
    'update package_events set type = type',
    'delete from package_events',
  ])('stays as it was written: %s', async (statement) => {
    await carried();
    const { db } = stage().database;
    await expect(db.execute(sql.raw(statement))).rejects.toThrow();
  });
});

it('happened by the server’s clock, whatever the phone’s says', async () => {
  const { courier, id } = await carried();
  stage().pass(5 * 60_000);
  const minutes = (count: number) => new Date(at().getTime() + count * 60_000).toISOString();
  // Two minutes ago, on a phone that is 47 minutes fast.
  const headers = { 'sent-at': minutes(47) };
  await record(courier, id, 'picked_up', { occurredAt: minutes(45) }, headers);
  expect((await eventsFor(courier, id)).at(-1)).toMatchObject({
    occurredAt: minutes(45),
    effectiveAt: minutes(-2),
    receivedAt: minutes(0),
    timeTrust: 'low',
  });
});
