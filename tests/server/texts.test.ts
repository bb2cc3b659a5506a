/** Text messages to recipients: which are written, what they say, when they go, who sees what became of them. */
import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { WirePackage } from '#contract/package.ts';
import { texts } from '#server/database/recipient-schema.ts';
import { packages } from '#server/database/schema.ts';
import { mostADay, mostOfKind } from '#server/modules/texts/bounds.ts';
import { outsideQuietHours } from '#server/modules/texts/quiet-hours.ts';
import { sendDue } from '#server/modules/texts/sender.ts';
import { FakeTermii, termiiReport } from '#tests/fakes/fake-termii.ts';
import { fileStage, patchPackage, rejection } from './stage.ts';
import { publicUrl, textStage, withTermii } from './text-stage.ts';

const termii = new FakeTermii();
// The stage needs the address.
await termii.open();
const stage = fileStage(withTermii(termii.url));
afterAll(() => termii.close());
const { carried, step, needs, round, rows, history, report } = textStage(stage, () => termii);

const hourMs = 3_600_000;
/** Moves the clock to the next time that it is `hour` in Nigeria. */
function passUntil(hour: number): void {
  const there = (stage().now().getTime() + hourMs) % (24 * hourMs);
  stage().pass((hour * hourMs - there + 24 * hourMs) % (24 * hourMs));
}
beforeEach(async () => {
  passUntil(10);
  await stage().database.db.delete(texts);
  termii.phones.length = 0;
  termii.calls = 0;
  termii.mood = 'honest';
});

const linkOf = async ({ id }: { id: string }) => {
  const { db } = stage().database;
  const [row] = await db.select().from(packages).where(eq(packages.id, id));
  return `${publicUrl}/t/${row?.trackingToken}`;
};

describe('a text message', () => {
  it('is sent once for each step that its recipient should hear of', async () => {
    const one = await carried();
    const told: string[] = [];
    for (const [type, more] of [
      ['picked_up', {}],
      ['arrived', {}],
      ['attempt_failed', { reason: 'closed' }],
      ['return_started', {}],
    ] as const) {
      await step(one, type, more);
      await round();
      await round();
      told.push(termii.phones.at(-1)?.sms ?? '');
    }
    const number = one.package.packageId;
    const link = await linkOf(one);
    expect(told).toEqual([
      `Kaya: Package ${number} is on its way to you. ${link}`,
      `Kaya: The courier is here with package ${number}. ${link}`,
      `Kaya: Package ${number} could not be delivered. See what to do: ${link}`,
      `Kaya: Package ${number} is going back to its sender. ${link}`,
    ]);
    expect(termii.phones.map(({ to, from }) => [to, from])).toEqual(
      Array(4).fill(['2348057654321', 'Kaya']),
    );
    expect(termii.calls).toBe(4);
  });

  it('has the code that the courier asks for, and fits into one', async () => {
    const one = await carried({ handover: 'code' });
    await step(one, 'picked_up');
    await round();
    const sms = termii.phones[0]?.sms ?? '';
    expect(sms).toContain(` Drop-off code: ${one.package.dropoffCode}`);
    expect(one.package.dropoffCode).toMatch(/^\d{6}$/);
    expect(sms.length).toBeLessThanOrEqual(160);
    await step(one, 'attempt_failed', { reason: 'closed' });
    await round();
    expect(termii.phones[1]?.sms).not.toContain(one.package.dropoffCode);
  });

  it('has no code that wrong tries have locked', async () => {
    const one = await carried({ handover: 'code' });
    const { db } = stage().database;
    await db.update(packages).set({ dropoffTries: 5 }).where(eq(packages.id, one.id));
    await step(one, 'picked_up');
    await round();
    expect(termii.phones[0]?.sms).toContain(' is on its way to you. ');
    expect(termii.phones[0]?.sms).not.toMatch(/[Cc]ode/);
  });

  it('is written with its step or not at all', async () => {
    const one = await carried();
    const id = await step(one, 'picked_up');
    const body = { _id: id, type: 'picked_up', occurredAt: stage().now().toISOString() };
    const path = `/api/packages/${one.id}/events`;
    expect((await stage().send(one.courier, 'POST', path, { body })).status).toBe(409);
    const refused = { ...body, _id: randomUUID(), type: 'returned' };
    expect((await stage().send(one.courier, 'POST', path, { body: refused })).status).toBe(409);
    expect(await rows(one)).toMatchObject([
      { eventId: id, kind: 'picked_up', recipient: '+2348057654321', status: 'waiting' },
    ]);
  });

  it('waits until the courier can no longer undo the tap at once', async () => {
    const one = await carried();
    const picked = await step(one, 'picked_up');
    await sendDue(needs());
    expect(termii.calls).toBe(0);
    await step(one, 'corrected', { corrects: picked });
    await round();
    expect(termii.calls).toBe(0);
    expect(await rows(one)).toMatchObject([{ status: 'dropped' }]);
    await step(one, 'picked_up');
    await round();
    expect(termii.phones).toHaveLength(1);
  });

  it('is not sent about what is over', async () => {
    const one = await carried();
    await step(one, 'picked_up');
    await step(one, 'arrived');
    await step(one, 'delivered');
    await round();
    expect(termii.calls).toBe(0);
    expect((await rows(one)).map(({ status }) => status)).toEqual(['dropped', 'dropped']);
  });

  it('of one kind goes three times for a package; the timeline says so of a fourth', async () => {
    const one = await carried();
    await step(one, 'picked_up');
    await round();
    for (let times = 1; times <= mostOfKind + 1; times += 1) {
      await step(one, 'arrived');
      await round();
      await step(one, 'attempt_failed', { reason: 'closed' });
      await round();
    }
    expect(termii.calls).toBe(1 + 2 * mostOfKind);
    const told = (await history(one.sender, one)).map(({ type, status }) => [type, status]);
    expect(told.slice(-4)).toEqual([
      ...[['arrived', 'sent'] as const, ['attempt_failed', 'sent'] as const],
      ...[['arrived', 'dropped'] as const, ['attempt_failed', 'dropped'] as const],
    ]);
  });

  it('is one of ten to a number in a day, of all packages, also if it is corrected to', async () => {
    for (let nth = 1; nth <= mostADay + 1; nth += 1) {
      await step(await carried(), 'picked_up');
      await round();
    }
    const corrected = await carried({ recipientPhone: '0809 999 9999' });
    await step(corrected, 'picked_up');
    const { recipientPhone } = (await carried()).package;
    await patchPackage(stage(), corrected.sender, corrected.package, { recipientPhone });
    await round();
    expect(termii.calls).toBe(mostADay);
    expect(await rows(corrected)).toMatchObject([{ status: 'dropped' }]);
    passUntil(9);
    passUntil(11);
    await step(await carried(), 'picked_up');
    await round();
    expect(termii.calls).toBe(mostADay + 1);
  });

  it('leads to the link that holds when it is sent', async () => {
    const one = await carried();
    await step(one, 'picked_up');
    const { db } = stage().database;
    const trackingToken = 'A'.repeat(22);
    await db.update(packages).set({ trackingToken }).where(eq(packages.id, one.id));
    await round();
    expect(termii.phones[0]?.sms).toContain(`${publicUrl}/t/${trackingToken}`);
  });

  it('goes about no other change', async () => {
    const one = await carried();
    await patchPackage(stage(), one.courier, { _id: one.id }, rejection);
    expect(await rows(one)).toEqual([]);
  });
});

describe('quiet hours', () => {
  it.each([
    ['2026-11-21T05:59:59.999Z', '2026-11-21T06:00:00.000Z'],
    ['2026-11-21T06:00:00.000Z', '2026-11-21T06:00:00.000Z'],
    ['2026-11-21T19:59:59.999Z', '2026-11-21T19:59:59.999Z'],
    ['2026-11-21T20:00:00.000Z', '2026-11-22T06:00:00.000Z'],
    ['2026-11-21T23:30:00.000Z', '2026-11-22T06:00:00.000Z'],
    ['2026-12-31T22:00:00.000Z', '2027-01-01T06:00:00.000Z'],
  ])('what is due at %s goes at %s', (at, goes) => {
    expect(outsideQuietHours(new Date(at)).toISOString()).toBe(goes);
  });

  it('keep a message until the morning, and say so', async () => {
    const one = await carried();
    passUntil(22);
    await step(one, 'picked_up');
    await round();
    stage().pass(8 * hourMs);
    await round();
    expect(termii.calls).toBe(0);
    const [waiting] = await history(one.sender, one);
    expect(waiting).toMatchObject({ type: 'picked_up', status: 'waiting' });
    expect(waiting?.at).toMatch(/T06:00:00\.000Z$/);
    stage().pass(hourMs);
    await round();
    expect(termii.phones).toHaveLength(1);
  });

  it('keep back also what was due before they began', async () => {
    const one = await carried();
    passUntil(20);
    await step(one, 'picked_up');
    stage().pass(hourMs + 60_000);
    await round();
    expect(termii.calls).toBe(0);
    passUntil(7);
    await round();
    expect(termii.phones).toHaveLength(1);
  });

  it('leave in the morning only what is still true, and once', async () => {
    const one = await carried();
    passUntil(22);
    await step(one, 'picked_up');
    await step(one, 'attempt_failed', { reason: 'closed' });
    await step(one, 'arrived');
    await step(one, 'attempt_failed', { reason: 'phone_unreachable' });
    passUntil(8);
    await round();
    expect(termii.phones.map(({ sms }) => sms)).toEqual([
      expect.stringContaining('could not be delivered'),
    ]);
    expect((await rows(one)).map(({ status }) => status)).toEqual([
      ...['dropped', 'dropped', 'dropped', 'sent'],
    ]);
  });
});

describe('what became of it', () => {
  it('is read by the sender and dispatchers, not by the courier', async () => {
    const one = await carried();
    await step(one, 'picked_up');
    await round();
    const sent = stage().now().toISOString();
    const admin = await stage().admin();
    expect(await history(one.sender, one)).toEqual([
      { type: 'picked_up', status: 'sent', at: sent },
    ]);
    stage().pass(60_000);
    const [message] = termii.phones;
    if (!message) throw new Error('No message.');
    expect(await report(termiiReport(message, 'DELIVERED'))).toEqual([200, undefined]);
    const delivered = [{ type: 'picked_up', status: 'delivered', at: stage().now().toISOString() }];
    expect(await history(one.sender, one)).toEqual(delivered);
    expect(await history(admin, one)).toEqual(delivered);
    expect(await history(one.courier, one)).toEqual([]);
  });

  it('reaches phones that keep the history of the package as it was', async () => {
    const one = await carried();
    const version = async () =>
      (await stage().send<WirePackage>(one.sender, 'GET', `/api/packages/${one.id}`)).body.version;
    await step(one, 'picked_up');
    const written = await version();
    await round();
    const sent = await version();
    expect(sent).toBeGreaterThan(written);
    const [message] = termii.phones;
    if (!message) throw new Error('No message.');
    await report(termiiReport(message, 'DELIVERED'));
    expect(await version()).toBeGreaterThan(sent);
  });

  it('conflicts with no edit that was made meanwhile', async () => {
    const one = await carried();
    const { body: before } = await stage().send<WirePackage>(
      ...([one.sender, 'GET', `/api/packages/${one.id}`] as const),
    );
    await step(one, 'picked_up');
    await round();
    const edit = { notes: 'Ring twice', baseVersion: before.version };
    const edited = await patchPackage(stage(), one.sender, { _id: one.id }, edit);
    expect(edited.status).toBe(200);
  });
});

it('without a provider no message is written', async () => {
  const silent = await stage().another({ environment: { SMS_PROVIDER: 'off' } });
  const one = await carried();
  const body = {
    _id: randomUUID(),
    type: 'picked_up',
    occurredAt: stage().now().toISOString(),
  };
  const answer = await silent.send(one.courier, 'POST', `/api/packages/${one.id}/events`, { body });
  expect(answer.status).toBe(201);
  expect(await rows(one)).toEqual([]);
});
