/** Unresponsive phones: whom they delay, and how they are limited. */
import { setTimeout as after } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import webPush from 'web-push';
import { pushSubscriptions } from '#server/database/push-schema.ts';
import {
  createDispatcher,
  type Dispatcher,
  doubtfulAfter,
  type Pace,
  pace as usualPace,
} from '#server/modules/notifications/dispatcher.ts';
import { createSendPush } from '#server/modules/notifications/push-service.ts';
import { enqueueNotification } from '#server/modules/notifications/repository.ts';
import type { PushPhone } from '#tests/fakes/push-service.ts';
import {
  createdPackage,
  filePushService,
  pushEnvironment,
  rowOf,
  subscribed,
  told,
  until,
} from './push-stage.ts';
import { fileStage } from './stage.ts';

const stage = fileStage(pushEnvironment);
const service = filePushService();

/** The cost of an unresponsive phone; longer than the test waits where it must delay nobody. */
const callMs = 1000;
const hangMs = 60_000;
const aWeekMs = 7 * 86_400_000;
const vapid = { subject: 'mailto:push@kaya.test', ...webPush.generateVAPIDKeys() };
const warnings: string[] = [];
let dispatcher: Dispatcher;

/** Like the server's own but for the time-out: that one is not notified of news bypassing it. */
function begin(pace: Partial<Pace> = {}, timeoutMs = callMs): void {
  const log = { warn: (_: unknown, text = _) => void warnings.push(String(text)) };
  dispatcher = createDispatcher({
    db: stage().database.db,
    now: stage().now,
    log: log as never,
    send: createSendPush({ vapid, isLocalAllowed: true, timeoutMs }),
    pace: { ...usualPace, firstWaitMs: 5, ...pace },
  });
}

beforeEach(async () => {
  warnings.length = 0;
  await stage().database.db.delete(pushSubscriptions);
  begin();
});
afterEach(() => dispatcher.stop());

const silent = () => undefined;

/** `each` phones of as many new couriers as `users`. */
async function phonesOf(users: number, each: number, how: Parameters<PushPhone['answer']>[0]) {
  const phones = [];
  for (let user = 0; user < users; user += 1) {
    const courier = await stage().person('Employee');
    for (let made = 0; made < each; made += 1) {
      const phone = await subscribed(stage(), courier, service().phone(), ['newPackage']);
      phone.answer(how);
      phones.push(phone);
    }
  }
  return phones;
}

async function onePhone(how: Parameters<PushPhone['answer']>[0]): Promise<PushPhone> {
  const [phone] = await phonesOf(1, 1, how);
  if (!phone) throw new Error('There is no phone.');
  return phone;
}

/**
 * Notifies couriers of an offer. Create it before the phones: the server itself notifies those that
 * exist when the package is created, at its own pace and with its own key.
 */
async function offer() {
  const sender = await stage().person('Customer');
  const { _id: packageId } = await createdPackage(stage(), sender);
  return async () => {
    await enqueueNotification(stage().database.db, {
      id: packageId,
      before: null,
      after: { status: 'pending', courierId: null },
      actorId: sender.id,
      now: stage().now(),
    });
    dispatcher.nudge();
  };
}

async function change({ endpoint }: PushPhone, to: Partial<typeof pushSubscriptions.$inferSelect>) {
  const rows = stage().database.db.update(pushSubscriptions).set(to);
  await rows.where(eq(pushSubscriptions.endpoint, endpoint));
}

const calls = (phones: PushPhone[]) => phones.map((phone) => phone.calls());

describe('unresponsive phones', () => {
  it("of five users, five each, delay another's by one call at most", async () => {
    const tell = await offer();
    const flood = await phonesOf(5, 5, silent);
    const honest = await onePhone(201);
    await tell();
    await told(honest, ['newPackage']);
    const made = calls(flood).reduce((sum, each) => sum + each, 0);
    expect(made).toBeLessThanOrEqual(2 * usualPace.parallel);
  });

  it('that failed three times in a row take no room from others, however many their accounts', async () => {
    begin({ held: 2, heldDoubtful: 3 }, hangMs);
    const offers = [await offer(), await offer(), await offer()];
    const flood = await phonesOf(6, 1, silent);
    for (const phone of flood) await change(phone, { failures: doubtfulAfter });
    const honest = await onePhone(201);
    for (const tell of offers) await tell();
    await told(honest, ['newPackage', 'newPackage', 'newPackage']);
    expect(warnings).toContain(
      'a notification was lost: too many wait for phones that do not answer',
    );
  });

  it('of one user have two calls at a time', async () => {
    const tell = await offer();
    const flood = await phonesOf(1, 10, silent);
    await tell();
    await until(() => expect(Math.max(...calls(flood))).toBe(1));
    await after(callMs / 3);
    expect(calls(flood).filter((each) => each > 0)).toHaveLength(usualPace.perUser);
  });

  it.each([
    ['delay no other', hangMs],
    ['are tried once', callMs],
  ])('that failed three times in a row %s', async (_, timeoutMs) => {
    const tell = await offer();
    begin({}, timeoutMs);
    const flood = await phonesOf(5, 2, silent);
    for (const phone of flood) await change(phone, { failures: doubtfulAfter });
    const honest = await onePhone(201);
    await tell();
    await told(honest, ['newPackage']);
    if (timeoutMs === hangMs) return;
    await dispatcher.idle();
    expect(calls(flood)).toEqual(flood.map(() => 1));
  });

  it('of one user do not fill the shared queue', async () => {
    const tell = await offer();
    begin({ heldPerUser: 3, tries: 1 });
    const flood = await phonesOf(1, 5, silent);
    await tell();
    await until(() => expect(warnings).toHaveLength(2));
    expect(warnings[0]).toMatch(/too many wait for the phones of one user/);
    await dispatcher.idle();
    expect(calls(flood).filter((each) => each > 0)).toHaveLength(3);
  });
});

describe('the queue of one user', () => {
  it('has room again after sending, however much was sent before', async () => {
    const tell = await offer();
    begin({ heldPerUser: 2 });
    const phone = await onePhone(201);
    for (let news = 1; news <= 5; news += 1) {
      await tell();
      await dispatcher.idle();
      expect(phone.calls()).toBe(news);
    }
    expect(warnings).toEqual([]);
  });

  it('has room again after a loss', async () => {
    const tell = await offer();
    begin({ heldPerUser: 1, tries: 1 });
    const phone = await onePhone(500);
    for (let news = 1; news <= 3; news += 1) {
      await tell();
      await dispatcher.idle();
    }
    expect(phone.calls()).toBe(3);
  });
});

describe('a notification', () => {
  it('is counted once, by outcome', async () => {
    const tell = await offer();
    begin({ tries: 2 });
    for (const how of [201, 404, 410, 413, 500, 500, 500]) {
      await change(await onePhone(how), { vapidKey: vapid.publicKey });
    }
    await tell();
    await dispatcher.idle();
    expect(dispatcher.outcomes()).toEqual({ sent: 1, gone: 2, refused: 1, given_up: 3 });
  });

  it.each([
    410, 413, 500,
  ])('answered %i does not affect a phone that has resubscribed since', async (status) => {
    const tell = await offer();
    begin({ tries: 1 });
    let answer = () => {};
    const phone = await onePhone((response) => {
      answer = () => void response.writeHead(status).end();
    });
    // One more failure would end it if it were the same subscription.
    const failingSince = new Date(stage().now().getTime() - aWeekMs);
    await change(phone, { failures: 9, failingSince, vapidKey: null });
    await tell();
    await until(() => expect(phone.calls()).toBe(1));
    const { auth } = service().phone().subscription(['newPackage']).keys;
    await change(phone, { auth });
    answer();
    await dispatcher.idle();
    expect(await rowOf(stage(), phone)).toMatchObject({ auth, failures: 9, failingSince });
  });
});

describe('lost notifications', () => {
  it('are counted by phone until one is accepted', async () => {
    const tell = await offer();
    const phone = await onePhone(500);
    await tell();
    await until(async () => expect((await rowOf(stage(), phone))?.failures).toBe(1));
    const since = stage().now();
    stage().pass(60_000);
    await tell();
    await until(async () => expect((await rowOf(stage(), phone))?.failures).toBe(2));
    expect((await rowOf(stage(), phone))?.failingSince).toEqual(since);
    phone.answer(201);
    await tell();
    await until(async () => expect((await rowOf(stage(), phone))?.failures).toBe(0));
    expect((await rowOf(stage(), phone))?.failingSince).toBe(null);
  });

  it('ten times in a row over a week end the subscription; either alone does not', async () => {
    const tell = await offer();
    const [over, hour, quiet] = [await onePhone(500), await onePhone(500), await onePhone(500)];
    const aWeekAgo = new Date(stage().now().getTime() - aWeekMs);
    await change(over, { failures: 9, failingSince: aWeekAgo });
    await change(hour, { failures: 30, failingSince: stage().now() });
    await change(quiet, { failures: 5, failingSince: aWeekAgo });
    await tell();
    await until(async () => expect(await rowOf(stage(), over)).toBe(undefined));
    await dispatcher.idle();
    expect([
      (await rowOf(stage(), hour))?.failures,
      (await rowOf(stage(), quiet))?.failures,
    ]).toEqual([31, 6]);
  });
});

describe("a push service that does not know the server's key", () => {
  it.each([401, 403])('answers %i: a subscription for another key is deleted', async (status) => {
    const tell = await offer();
    const other = webPush.generateVAPIDKeys().publicKey;
    const [old, own] = [await onePhone(status), await onePhone(status)];
    const unknown = await onePhone(status);
    await change(old, { vapidKey: other });
    await change(own, { vapidKey: vapid.publicKey });
    await change(unknown, { vapidKey: null });
    await tell();
    await until(async () => expect(await rowOf(stage(), old)).toBe(undefined));
    await dispatcher.idle();
    expect([
      (await rowOf(stage(), own))?.failures,
      (await rowOf(stage(), unknown))?.failures,
    ]).toEqual([1, 1]);
    expect(calls([old, own, unknown])).toEqual([1, 1, 1]);
  });

  it('is detected by the key stored with each subscription', async () => {
    const courier = await stage().person('Employee');
    const { body } = await stage().send<{ publicKey: string }>(courier, 'GET', '/api/push');
    expect((await rowOf(stage(), await onePhone(201)))?.vapidKey).toBe(body.publicKey);
  });
});
