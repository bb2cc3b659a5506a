/**
 * The provider of text messages down, slow, answering wrongly or twice, and its reports forged, doubled
 * or early: each message goes once, or is said not to have gone, or perhaps not.
 */
import { createHmac } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { WirePackage } from '#contract/package.ts';
import { texts } from '#server/database/recipient-schema.ts';
import { mostADay } from '#server/modules/texts/bounds.ts';
import { claimText, findReported, nameText, undoMs } from '#server/modules/texts/repository.ts';
import { sendDue } from '#server/modules/texts/sender.ts';
import { bodyOf } from '#server/modules/texts/words.ts';
import { FakeTermii, type Mood, termiiReport } from '#tests/fakes/fake-termii.ts';
import { barrier } from './barrier.ts';
import { fileStage, outcomeOf } from './stage.ts';
import { type Carried, terms, textStage, withTermii } from './text-stage.ts';

const termii = new FakeTermii();
// The stage needs the address.
await termii.open();
const stage = fileStage(withTermii(termii.url));
const t = textStage(stage, termii);
const { carried, step, tell, round, rows, history, report, taken } = t;
const hourMs = 3_600_000;

async function pickedUp(): Promise<Carried> {
  const one = await carried();
  await step(one, 'picked_up');
  return one;
}
const statusOf = async (one: Carried) => (await rows(one))[0]?.status;
/** Picked up, with a message that has gone. */
async function told(): Promise<Carried> {
  const one = await carried();
  await tell(one, ['picked_up']);
  return one;
}

describe('a provider', () => {
  it.each<Mood>([
    'busy',
    'empty',
    'locked',
  ])('that takes nothing for now gets it later, once: %s', async (mood) => {
    const one = await pickedUp();
    termii.mood = mood;
    await round();
    expect(termii.calls).toBe(1);
    expect(await statusOf(one)).toBe('waiting');
    await round();
    expect(termii.calls).toBe(1);
    termii.mood = 'honest';
    stage().pass(30_000);
    await round();
    await round();
    expect(termii.phones).toHaveLength(1);
    expect(await statusOf(one)).toBe('sent');
  });

  it('that is down gets it when it is back', async () => {
    const one = await pickedUp();
    const gone = new FakeTermii();
    await gone.open();
    const { url } = gone;
    await gone.close();
    await round({ send: t.sendTo(url) });
    expect(await statusOf(one)).toBe('waiting');
    stage().pass(30_000);
    await round();
    expect(termii.phones).toHaveLength(1);
    expect(await statusOf(one)).toBe('sent');
  });

  it('that stays down: it is said not to have gone', async () => {
    const one = await pickedUp();
    termii.mood = 'busy';
    for (let hour = 0; hour < 8; hour += 1) {
      await round();
      stage().pass(hourMs);
    }
    expect(await history(one.sender, one)).toMatchObject([{ status: 'failed' }]);
    expect(termii.calls).toBe(6);
    expect(termii.phones).toEqual([]);
  });

  it('that refuses it is not asked again', async () => {
    const one = await pickedUp();
    termii.mood = 'refuses';
    await round();
    stage().pass(hourMs);
    await round();
    expect(termii.calls).toBe(1);
    expect(await statusOf(one)).toBe('failed');
  });

  it.each<Mood>([
    'silent',
    'cut',
    'broken',
    'garbage',
  ])('without a clear answer is not asked again, for it may have sent it: %s', async (mood) => {
    const one = await pickedUp();
    termii.mood = mood;
    await round({}, mood === 'silent' ? 2000 : 10_000);
    expect(await history(one.sender, one)).toMatchObject([{ status: 'uncertain' }]);
    termii.mood = 'honest';
    stage().pass(3 * hourMs);
    await round();
    expect(termii.phones).toHaveLength(1);
  });

  it('that is slow gets it once from many processes, and holds up no other message', async () => {
    const all = await Promise.all([pickedUp(), pickedUp(), pickedUp()]);
    termii.mood = 'slow';
    stage().pass(60_000);
    await Promise.all([1, 2, 3].map(() => sendDue(t.needs())));
    expect(new Set(termii.phones.map(({ sms }) => sms)).size).toBe(3);
    expect(termii.calls).toBe(3);
    expect(await Promise.all(all.map(statusOf))).toEqual(['sent', 'sent', 'sent']);
  });

  it('that gives the answer of another message again is not believed', async () => {
    const first = await told();
    const second = await pickedUp();
    termii.mood = 'same';
    await round();
    expect([await statusOf(first), await statusOf(second)]).toEqual(['sent', 'uncertain']);
  });

  it('that writes ids as numbers is understood', async () => {
    const one = await pickedUp();
    termii.mood = 'numbered';
    await round();
    expect(await rows(one)).toMatchObject([{ status: 'sent', providerId: taken().id }]);
  });
});

it('a process that ends while it sends leaves it in doubt', async () => {
  const one = await pickedUp();
  stage().pass(60_000);
  expect(await claimText(stage().db, stage().now(), terms)).toMatchObject({
    packageId: one.id,
  });
  await round();
  expect(await statusOf(one)).toBe('sending');
  stage().pass(2 * 60_000);
  await round();
  expect(await statusOf(one)).toBe('uncertain');
  expect(termii.calls).toBe(0);
});

describe('a link that is replaced while its message is being sent', () => {
  const replace = async ({ id, sender }: Carried) => {
    const path = `/api/packages/${id}/tracking`;
    const answer = await stage().send<WirePackage>(sender, 'POST', path);
    expect(answer.status).toBe(200);
    return answer.body.trackingPath ?? '';
  };
  /** Sends, and replaces the link between the claim and the provider's answer. */
  const replacedMeanwhile = async (one: Carried, { isTaken }: { isTaken: boolean }) => {
    const { send } = t.needs();
    const claimed = barrier();
    const replaced = barrier();
    const sending = round({
      send: async (message) => {
        const first = isTaken ? await send(message) : null;
        claimed.open();
        await replaced.passed;
        const outcome = first ?? (await send(message));
        // It is sent again at once.
        termii.mood = 'honest';
        return outcome;
      },
    });
    await claimed.passed;
    const path = await replace(one);
    replaced.open();
    await sending;
    return path;
  };

  it.each<[Mood, boolean]>([
    ['honest', false],
    ['honest', true],
    ['cut', true],
    ['busy', false],
    ['refuses', false],
  ])('goes out with the new one: %s, taken before: %s', async (mood, isTaken) => {
    const one = await pickedUp();
    termii.mood = mood;
    const path = await replacedMeanwhile(one, { isTaken });
    expect(taken().sms).toContain(path);
    expect(await rows(one)).toMatchObject([{ status: 'sent', providerId: taken().id }]);
    await round();
    expect(termii.phones.filter(({ sms }) => sms.includes(path))).toHaveLength(1);
  });

  it('is not told by the answer about the old one, which comes after the new one is claimed', async () => {
    const one = await pickedUp();
    const { send } = t.needs();
    const claimed = barrier();
    const late = barrier();
    const first = round({
      send: async (message) => {
        const outcome = await send(message);
        claimed.open();
        await late.passed;
        return outcome;
      },
    });
    await claimed.passed;
    const path = await replace(one);
    const again = await claimText(stage().db, stage().now(), terms);
    expect(`/t/${again?.token}`).toBe(path);
    late.open();
    await first;
    expect(await rows(one)).toMatchObject([{ status: 'sending', providerId: null, tries: 2 }]);
  });

  it('does not send again what went before', async () => {
    const one = await told();
    await replace(one);
    stage().pass(60_000);
    await round();
    expect(termii.phones).toHaveLength(1);
  });
});

it('a server that was down for a day sends no old news', async () => {
  const one = await pickedUp();
  stage().pass(24 * hourMs);
  await round();
  expect(termii.calls).toBe(0);
  expect(await statusOf(one)).toBe('dropped');
});

describe('a report', () => {
  it.each([
    ['DELIVERED', 'delivered'],
    ['Delivered', 'delivered'],
    ['Message delivered to handset', 'delivered'],
    ['Received', 'delivered'],
    ['DND Active on Phone Number', 'failed'],
    ['Message Failed', 'failed'],
    ['Rejected', 'failed'],
    ['Expired', 'failed'],
    ['Message Sent', 'sent'],
    ['something new', 'sent'],
  ])('that says %s: %s', async (said, status) => {
    const one = await told();
    expect(await report(termiiReport(taken(), said))).toEqual([200, undefined]);
    expect(await statusOf(one)).toBe(status);
  });

  it.each([
    ['₦1,002.50', 100_250],
    ['NGN 4', 400],
    [2.5, 250],
    [0, 0],
    ['9'.repeat(30), null],
    ['99999999', null],
    [1e21, null],
    ['-4.25', null],
    ['free', null],
    [null, null],
  ])('is believed whatever it says of the cost: %j', async (cost, costKobo) => {
    const one = await told();
    expect(await report(termiiReport(taken(), 'DELIVERED', { cost }))).toEqual([200, undefined]);
    expect(await rows(one)).toMatchObject([{ status: 'delivered', costKobo }]);
  });

  it('that comes twice or late changes nothing more', async () => {
    const one = await told();
    const delivered = termiiReport(taken(), 'DELIVERED');
    await report(delivered);
    const after = await rows(one);
    expect(after).toMatchObject([{ status: 'delivered', costKobo: 425 }]);
    stage().pass(60_000);
    for (const again of [delivered, delivered, termiiReport(taken(), 'Message Sent')]) {
      expect(await report(again)).toEqual([200, undefined]);
    }
    await report(termiiReport(taken(), 'Expired'));
    expect(await rows(one)).toEqual(after);
    expect(await stage().db.select().from(texts).where(eq(texts.packageId, one.id))).toHaveLength(
      1,
    );
  });

  it('that is forged is refused', async () => {
    const one = await told();
    const { body, headers } = termiiReport(taken(), 'DELIVERED');
    const signature = headers['x-termii-signature'] ?? '';
    const bySomeone = createHmac('sha512', 'tsk_another').update(body).digest('hex');
    const forgeries = [
      { body },
      { body, headers: { 'x-termii-signature': '' } },
      { body, headers: { 'x-termii-signature': bySomeone } },
      { body, headers: { 'x-termii-signature': signature.slice(0, -1) } },
      { body: `${body} `, headers },
      { body: body.replace('DELIVERED', 'Expired'), headers },
      { body, headers: { 'x-paystack-signature': signature } },
    ];
    for (const forged of forgeries) {
      const answer = await stage().send(null, 'POST', '/api/texts/webhook', forged);
      expect(outcomeOf(answer)).toEqual([401, 'signature_invalid']);
    }
    expect(await statusOf(one)).toBe('sent');
    expect(await report({ body, headers })).toEqual([200, undefined]);
    expect(await statusOf(one)).toBe('delivered');
  });

  it('about what is not ours is ignored', async () => {
    const one = await told();
    const others = [
      termiiReport({ ...taken(), id: 'another', sms: 'Happy birthday' }, 'Expired'),
      termiiReport(taken(), 'Expired', { message_id: null }),
      termiiReport(taken(), 'Expired', { message_id: '\u0000' }),
      termiiReport({ ...taken(), id: 'another', to: '2348000000000' }, 'Expired'),
    ];
    for (const other of others) expect(await report(other)).toEqual([200, undefined]);
    expect(await statusOf(one)).toBe('sent');
  });

  it('tells of a message whose answer was lost', async () => {
    const one = await pickedUp();
    termii.mood = 'cut';
    await round();
    expect(await statusOf(one)).toBe('uncertain');
    await report(termiiReport(taken(), 'DELIVERED'));
    expect(await rows(one)).toMatchObject([{ status: 'delivered', providerId: taken().id }]);
  });

  it('that comes as the answer is noted is not lost', async () => {
    const { db } = stage().database;
    for (let time = 0; time < mostADay; time += 1) {
      const one = await pickedUp();
      stage().pass(undoMs);
      const text = await claimText(db, stage().now(), terms);
      if (!text) throw new Error('No message is due.');
      const providerId = `answer ${time}`;
      const said = {
        providerId,
        to: text.to,
        body: bodyOf({ ...text, link: '' }),
        outcome: 'delivered' as const,
        costKobo: null,
      };
      const [found] = await Promise.all([
        findReported(db, said, stage().now()),
        nameText(db, text, providerId),
      ]);
      expect(found).toMatchObject({ id: text.id, packageId: one.id });
    }
  });

  it('that is faster than the answer stands', async () => {
    const one = await pickedUp();
    const { send } = t.needs();
    await round({
      send: async (message) => {
        const outcome = await send(message);
        await report(termiiReport(taken(), 'DELIVERED'));
        return outcome;
      },
    });
    expect(await statusOf(one)).toBe('delivered');
    expect(t.warnings.join()).not.toMatch(/2348057654321|\/t\//);
  });
});
