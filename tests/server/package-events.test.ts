/** The events of a package: who records what, when it happened, who reads it. */
import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { type Details, packageCalls, type Step } from './package-calls.ts';
import { acceptance, codeOf, fileStage, type Person, rejection } from './stage.ts';

const stage = fileStage();
const { record, steps, read, eventsFor } = packageCalls(stage);
const at = () => stage().now();
const typesFor = async (who: Person, id: string) =>
  (await eventsFor(who, id)).map(({ type }) => type);

async function carried() {
  const [sender, courier] = await stage().people('Customer', 'Employee');
  const pkg = await stage().created(sender);
  stage().pass(60_000);
  await stage().accept(courier, pkg);
  return { sender, courier, id: pkg._id };
}

describe('a delivery', () => {
  it('goes from step to step, and each is an event of the person who recorded it', async () => {
    const { sender, courier, id } = await carried();
    const failed = { reason: 'recipient_unavailable', note: 'Nobody opened.' } as const;
    const all: [Step, Details, string | null][] = [
      ['picked_up', {}, 'picked_up'],
      ['arrived', {}, 'arrived'],
      ['attempt_failed', failed, 'attempted'],
      ['arrived', {}, 'arrived'],
      ['delivered', {}, null],
    ];
    for (const [type, details, progress] of all) {
      stage().pass(60_000);
      const { status, body } = await record(courier, id, type, details);
      expect([status, body.progress]).toEqual([201, progress]);
    }
    expect(await read(sender, id)).toMatchObject({
      deliveryStatus: 'Delivered',
      attempts: 1,
      deliveredAt: at().toISOString(),
      lastAttempt: { reason: 'recipient_unavailable' },
    });
    const events = await eventsFor(sender, id);
    expect(events.map(({ type, actor }) => [type, actor?.id])).toEqual([
      ['created', sender.id],
      ['accepted', courier.id],
      ...all.map(([type]) => [type, courier.id]),
    ]);
    expect(events[4]).toMatchObject({ ...failed, timeTrust: 'high' });
  });

  it('that fails goes back to the sender, who ends it', async () => {
    const { sender, courier, id } = await carried();
    await steps(id, [courier, 'picked_up'], [courier, 'attempt_failed', { reason: 'refused' }]);
    expect((await record(courier, id, 'return_started')).body.progress).toBe('returning');
    expect(await codeOf(record(courier, id, 'delivered'))).toBe('invalid_state');
    expect(await codeOf(record(courier, id, 'returned'))).toBe('proof_required');
    const { body } = await record(sender, id, 'returned');
    const ended = { deliveryStatus: 'Cancelled', outcome: 'returned', progress: null, attempts: 1 };
    expect(body).toMatchObject(ended);
  });

  it('cannot be rejected after the pick-up, but handed over by an admin', async () => {
    const { courier, id } = await carried();
    const other = await stage().person('Employee');
    stage().pass(60_000);
    await record(courier, id, 'picked_up');
    stage().pass(60_000);
    const rejected = stage().reject(courier, id);
    expect(await codeOf(rejected)).toBe('picked_up');
    const admin = await stage().admin();
    const { body } = await record(admin, id, 'handover', { courierId: other.id });
    expect([body.deliveryPersonId?._id, body.progress]).toEqual([other.id, 'picked_up']);
    expect(await typesFor(other, id)).toEqual(['handover']);
    expect((await stage().send(courier, 'GET', `/api/packages/${id}/events`)).status).toBe(404);
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
    const how = { body, headers: { 'idempotency-key': body._id } };
    for (let time = 0; time < 3; time += 1) {
      const answer = await stage().send(courier, 'POST', `/api/packages/${id}/events`, how);
      expect(answer.status).toBe(201);
    }
    expect(await typesFor(courier, id)).toEqual(['accepted', 'picked_up']);
    const again = await carried();
    const taken = record(again.courier, again.id, 'picked_up', { _id: body._id });
    expect(await codeOf(taken)).toBe('id_taken');
  });
});

describe('every other change', () => {
  it('writes its event', async () => {
    const sender = await stage().person('Customer');
    const [courier, other] = await stage().people('Employee', 'Employee');
    const admin = await stage().admin();
    const { _id: id } = await stage().created(sender);
    const patch = (who: Person, body: object) => stage().patch(who, id, body);
    await patch(sender, { notes: 'Ring twice' });
    await patch(sender, { priceOffer: 1750 });
    await patch(courier, acceptance(courier));
    await patch(sender, { notes: 'Ring once' });
    await patch(courier, rejection);
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
    expect(await typesFor(sender, id)).toEqual(['created', 'accepted']);
    expect(await typesFor(courier, id)).toEqual(['accepted']);
    const stranger = await stage().person('Customer');
    const path = `/api/packages/${id}/events`;
    expect((await stage().send(stranger, 'GET', path)).status).toBe(404);
    const offer = await stage().created(sender);
    expect(await eventsFor(courier, offer._id)).toEqual([]);
  });

  it.each([
    'update package_events set type = type',
    'delete from package_events',
  ])('stays as it was written: %s', async (statement) => {
    await carried();
    await expect(stage().db.execute(sql.raw(statement))).rejects.toThrow();
  });
});

it('happened by the server’s clock, whatever the phone’s says', async () => {
  const { courier, id } = await carried();
  stage().pass(5 * 60_000);
  const minutes = (count: number) => new Date(at().getTime() + count * 60_000).toISOString();
  // Two minutes ago, on a phone that is 47 minutes fast.
  const headers = { 'sent-at': minutes(47) };
  const body = { _id: randomUUID(), type: 'picked_up', occurredAt: minutes(45) };
  await stage().send(courier, 'POST', `/api/packages/${id}/events`, { body, headers });
  expect((await eventsFor(courier, id)).at(-1)).toMatchObject({
    occurredAt: minutes(45),
    effectiveAt: minutes(-2),
    receivedAt: minutes(0),
    timeTrust: 'low',
  });
});
