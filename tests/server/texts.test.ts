/** Text messages to recipients: which are written, what they say, when they go, who sees what became of them. */
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { packages } from '#server/database/schema.ts';
import { mostADay, mostOfKind } from '#server/modules/texts/bounds.ts';
import { outsideQuietHours } from '#server/modules/texts/quiet-hours.ts';
import { sendDue } from '#server/modules/texts/sender.ts';
import { FakeTermii, termiiReport } from '#tests/fakes/fake-termii.ts';
import { type Details, packageCalls, type Step } from './package-calls.ts';
import { codeOf, fileStage } from './stage.ts';
import { publicUrl, textStage, withTermii } from './text-stage.ts';

const termii = new FakeTermii();
// The stage needs the address.
await termii.open();
const stage = fileStage(withTermii(termii.url));
const { carried, step, tell, taken, passUntil, needs, round, rows, history, report } = textStage(
  stage,
  termii,
);
const { record, read } = packageCalls(stage);
const hourMs = 3_600_000;

const linkOf = async ({ id }: { id: string }) => {
  const [row] = await stage().db.select().from(packages).where(eq(packages.id, id));
  return `${publicUrl}/t/${row?.trackingToken}`;
};

describe('a text message', () => {
  it('is sent once for each step that its recipient should hear of', async () => {
    const one = await carried();
    const told: string[] = [];
    for (const said of [
      ['picked_up'],
      ['arrived'],
      ['attempt_failed', { reason: 'closed' }],
      ['return_started'],
    ] as [Step, Details?][]) {
      await tell(one, said);
      await round();
      told.push(taken().sms);
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
    await tell(one, ['picked_up']);
    const sms = termii.phones[0]?.sms ?? '';
    expect(sms).toContain(` Drop-off code: ${one.package.dropoffCode}`);
    expect(one.package.dropoffCode).toMatch(/^\d{6}$/);
    expect(sms.length).toBeLessThanOrEqual(160);
    await tell(one, ['attempt_failed', { reason: 'closed' }]);
    expect(termii.phones[1]?.sms).not.toContain(one.package.dropoffCode);
  });

  it('has no code that wrong tries have locked', async () => {
    const one = await carried({ handover: 'code' });
    await stage().db.update(packages).set({ dropoffTries: 5 }).where(eq(packages.id, one.id));
    await tell(one, ['picked_up']);
    expect(termii.phones[0]?.sms).toContain(' is on its way to you. ');
    expect(termii.phones[0]?.sms).not.toMatch(/[Cc]ode/);
  });

  it('is written with its step or not at all', async () => {
    const one = await carried();
    const id = await step(one, 'picked_up');
    const again = record(one.courier, one.id, 'picked_up', { _id: id });
    expect(await codeOf(again)).toBe('invalid_state');
    expect(await codeOf(record(one.courier, one.id, 'returned'))).toBe('invalid_state');
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
    await tell(one, ['picked_up']);
    expect(termii.phones).toHaveLength(1);
  });

  it('is not sent about what is over', async () => {
    const one = await carried();
    await step(one, 'picked_up');
    await step(one, 'arrived');
    await tell(one, ['delivered']);
    expect(termii.calls).toBe(0);
    expect((await rows(one)).map(({ status }) => status)).toEqual(['dropped', 'dropped']);
  });

  it('of one kind goes three times for a package; the timeline says so of a fourth', async () => {
    const one = await carried();
    await tell(one, ['picked_up']);
    for (let times = 1; times <= mostOfKind + 1; times += 1) {
      await tell(one, ['arrived'], ['attempt_failed', { reason: 'closed' }]);
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
      await tell(await carried(), ['picked_up']);
    }
    const corrected = await carried({ recipientPhone: '0809 999 9999' });
    await step(corrected, 'picked_up');
    const { recipientPhone } = (await carried()).package;
    await stage().patch(corrected.sender, corrected.package, { recipientPhone });
    await round();
    expect(termii.calls).toBe(mostADay);
    expect(await rows(corrected)).toMatchObject([{ status: 'dropped' }]);
    passUntil(9);
    passUntil(11);
    await tell(await carried(), ['picked_up']);
    expect(termii.calls).toBe(mostADay + 1);
  });

  it('leads to the link that holds when it is sent', async () => {
    const one = await carried();
    await step(one, 'picked_up');
    const trackingToken = 'A'.repeat(22);
    await stage().db.update(packages).set({ trackingToken }).where(eq(packages.id, one.id));
    await round();
    expect(termii.phones[0]?.sms).toContain(`${publicUrl}/t/${trackingToken}`);
  });

  it('goes about no other change', async () => {
    const one = await carried();
    await stage().reject(one.courier, { _id: one.id });
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
    await tell(one, ['picked_up']);
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
    await tell(one, ['picked_up']);
    const sent = stage().now().toISOString();
    const admin = await stage().admin();
    expect(await history(one.sender, one)).toEqual([
      { type: 'picked_up', status: 'sent', at: sent },
    ]);
    stage().pass(60_000);
    expect(await report(termiiReport(taken(), 'DELIVERED'))).toEqual([200, undefined]);
    const delivered = [{ type: 'picked_up', status: 'delivered', at: stage().now().toISOString() }];
    expect(await history(one.sender, one)).toEqual(delivered);
    expect(await history(admin, one)).toEqual(delivered);
    expect(await history(one.courier, one)).toEqual([]);
  });

  it('reaches phones that keep the history of the package as it was', async () => {
    const one = await carried();
    const version = async () => (await read(one.sender, one.id)).version;
    await step(one, 'picked_up');
    const written = await version();
    await round();
    const sent = await version();
    expect(sent).toBeGreaterThan(written);
    await report(termiiReport(taken(), 'DELIVERED'));
    expect(await version()).toBeGreaterThan(sent);
  });

  it('conflicts with no edit that was made meanwhile', async () => {
    const one = await carried();
    const before = await read(one.sender, one.id);
    await tell(one, ['picked_up']);
    const edit = { notes: 'Ring twice', baseVersion: before.version };
    const edited = await stage().patch(one.sender, { _id: one.id }, edit);
    expect(edited.status).toBe(200);
  });
});

it('without a provider no message is written', async () => {
  const silent = await stage().another({ environment: { SMS_PROVIDER: 'off' } });
  const one = await carried();
  const answer = await record(one.courier, one.id, 'picked_up', {}, silent);
  expect(answer.status).toBe(201);
  expect(await rows(one)).toEqual([]);
});
