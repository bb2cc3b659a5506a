/** How notifications are sent: whom an unresponsive push service delays, and what each end records. */
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
import { pushServiceOf } from '#server/modules/notifications/endpoint.ts';
import { createSendPush, type SendPush } from '#server/modules/notifications/push-service.ts';
import { enqueueNotification } from '#server/modules/notifications/repository.ts';
import type { PushPhone } from '#tests/fakes/push-service.ts';
import { filePushService, pushEnvironment, rowOf, subscribed, until } from './push-stage.ts';
import { fileStage } from './stage.ts';

const stage = fileStage(pushEnvironment);
const service = filePushService();

const callMs = 1000;
const aWeekMs = 7 * 86_400_000;
const vapid = { subject: 'mailto:push@kaya.test', ...webPush.generateVAPIDKeys() };
const warnings: string[] = [];
let dispatcher: Dispatcher;

const overHttp = () => createSendPush({ vapid, isLocalAllowed: true, timeoutMs: callMs });

/** Like the server's own but for the time-out: that one is not notified of news bypassing it. */
function begin(pace: Partial<Pace> = {}, send = overHttp()): void {
  const log = { warn: (_: unknown, text = _) => void warnings.push(String(text)) };
  dispatcher = createDispatcher({
    db: stage().db,
    now: stage().now,
    log: log as never,
    send,
    pace: { ...usualPace, firstWaitMs: 5, ...pace },
  });
}

beforeEach(async () => {
  warnings.length = 0;
  await stage().db.delete(pushSubscriptions);
  begin();
});
afterEach(() => dispatcher.stop());

async function onePhone(how: Parameters<PushPhone['answer']>[0]): Promise<PushPhone> {
  const courier = await stage().person('Employee');
  const phone = await subscribed(stage(), courier, service().phone(), ['newPackage']);
  phone.answer(how);
  return phone;
}

/**
 * Notifies couriers of an offer. Create it before the phones: the server itself notifies those that
 * exist when the package is created, at its own pace and with its own key.
 */
async function offer() {
  const sender = await stage().person('Customer');
  const { _id: packageId } = await stage().created(sender);
  return async () => {
    await enqueueNotification(stage().db, {
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
  const rows = stage().db.update(pushSubscriptions).set(to);
  await rows.where(eq(pushSubscriptions.endpoint, endpoint));
}

/** Push services by name: those in `silent` do not answer until they are, or the call is aborted. */
function services(...silent: string[]) {
  const asked: string[] = [];
  const waiting: (() => void)[] = [];
  const send: SendPush = async ({ endpoint }, _, stop) => {
    const { hostname } = new URL(endpoint);
    asked.push(hostname);
    if (!silent.includes(hostname)) return { kind: 'sent' };
    return new Promise((resolve) => {
      waiting.push(() => resolve({ kind: 'sent' }));
      const end = () => resolve({ kind: 'later', afterMs: undefined });
      if (stop.aborted) end();
      stop.addEventListener('abort', end);
    });
  };
  return { asked, send, answerOne: () => waiting.shift()?.() };
}

async function phonesAt(host: string, count: number): Promise<void> {
  for (let made = 0; made < count; made += 1) {
    const phone = await onePhone(201);
    await change(phone, { endpoint: `https://${host}/${made}` });
  }
}

describe('a push service that does not answer', () => {
  it.each([
    ['fcm.googleapis.com', 'web.push.apple.com'],
    ['updates.push.services.mozilla.com', 'fcm.googleapis.com'],
    ['push.example', 'wns2-par02p.notify.windows.com'],
  ])('delays none of the phones of others: %s, %s', async (dead, well) => {
    const { asked, send } = services(dead);
    begin({ parallel: 2 }, send);
    const tell = await offer();
    await phonesAt(dead, 5);
    await phonesAt(well, 3);
    await tell();
    await until(() => expect(asked.filter((host) => host === well)).toHaveLength(3));
    expect(asked.filter((host) => host === dead)).toHaveLength(2);
  });

  it('has a bounded queue, with room again as calls end', async () => {
    const { asked, send, answerOne } = services('push.example');
    begin({ parallel: 2, held: 3 }, send);
    const [tell, tellAgain] = [await offer(), await offer()];
    await phonesAt('push.example', 4);
    await tell();
    const lost = 'a notification was lost: too many wait for one push service';
    await until(() => expect(warnings).toEqual([lost]));
    expect(asked).toHaveLength(2);
    for (let call = 1; call <= 3; call += 1) {
      await until(() => expect(asked.length).toBeGreaterThanOrEqual(call));
      answerOne();
    }
    await dispatcher.idle();
    await tellAgain();
    await until(() => expect(asked).toHaveLength(5));
  });

  it('cannot have many queues by many names', () => {
    const own = ['https://push.example/a', 'https://a.push.example/', 'https://10fcm.example/b'];
    const alike = ['https://fcm.googleapis.com.push.example/', 'https://xfcm.googleapis.com/'];
    expect(new Set([...own, ...alike].map(pushServiceOf))).toEqual(new Set(['others']));
  });

  it('is asked once for a phone that failed three times in a row', async () => {
    const tell = await offer();
    const phone = await onePhone(500);
    await change(phone, { failures: doubtfulAfter });
    await tell();
    await until(() => expect(dispatcher.outcomes().given_up).toBe(1));
    expect(phone.calls()).toBe(1);
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
    expect([old, own, unknown].map((phone) => phone.calls())).toEqual([1, 1, 1]);
  });

  it('is detected by the key stored with each subscription', async () => {
    const courier = await stage().person('Employee');
    const { body } = await stage().send<{ publicKey: string }>(courier, 'GET', '/api/push');
    expect((await rowOf(stage(), await onePhone(201)))?.vapidKey).toBe(body.publicKey);
  });
});
