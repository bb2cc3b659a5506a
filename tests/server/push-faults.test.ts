/** Failures of push services: gone subscriptions, refusals, stalls and forbidden endpoints. */
import { describe, expect, it } from 'vitest';
import { notificationQueue } from '#server/database/push-schema.ts';
import { isAllowedEndpoint } from '#server/modules/notifications/endpoint.ts';
import { enqueueNotification } from '#server/modules/notifications/repository.ts';
import type { PushPhone } from '#tests/fakes/push-service.ts';
import {
  filePushService,
  kindsAt,
  pushEnvironment,
  rowOf,
  subscribed,
  told,
  until,
} from './push-stage.ts';
import { fileStage, type Person, packageBody, pushPace } from './stage.ts';

const stage = fileStage({ ...pushEnvironment, LOG_LEVEL: 'trace' });
const service = filePushService();

const isThere = async (phone: PushPhone) => (await rowOf(stage(), phone)) !== undefined;

/** A sender with a phone whose push service answers `status`, and a notification to send. */
async function toldOf(how: Parameters<PushPhone['answer']>[0]) {
  const [sender, courier] = await stage().people('Customer', 'Employee');
  const kinds = ['accepted', 'delivered'] as const;
  const phone = await subscribed(stage(), sender, service().phone(), [...kinds]);
  phone.answer(how);
  const { _id: id } = await stage().created(sender);
  expect((await stage().accept(courier, id)).status).toBe(200);
  return { phone, sender, courier, id };
}

describe('a push service that', () => {
  it.each([404, 410])('answers %i loses its subscription', async (status) => {
    const { phone } = await toldOf(status);
    await until(async () => expect(await isThere(phone)).toBe(false));
    expect(phone.calls()).toBe(1);
  });

  it.each([429, 500, 503])('answers %i is retried, three attempts in all', async (status) => {
    const { phone } = await toldOf(status);
    await until(() => expect(phone.calls()).toBe(pushPace.tries));
    const givenUp = () => stage().logs.some((line) => line.includes('a notification was given up'));
    await until(() => expect(givenUp()).toBe(true));
    expect([phone.calls(), await isThere(phone)]).toEqual([pushPace.tries, true]);
  });

  it('is busy once gets a retry', async () => {
    let isFirst = true;
    const { phone } = await toldOf((response) => {
      response.writeHead(isFirst ? 429 : 201, isFirst ? { 'retry-after': '0' } : {}).end();
      isFirst = false;
    });
    await until(() => expect(phone.calls()).toBe(2));
    const noted = async () => (await rowOf(stage(), phone))?.succeededAt;
    await until(async () => expect(await noted()).toEqual(stage().now()));
  });

  it('refuses permanently is not retried', async () => {
    const { phone, courier, id } = await toldOf(413);
    await until(() => expect(stage().logs.join('')).toContain('refused a notification'));
    phone.answer(201);
    await stage().deliver(courier, id);
    await told(phone, ['accepted', 'delivered']);
    expect(await isThere(phone)).toBe(true);
  });

  it('redirects is not followed', async () => {
    const elsewhere = service().phone();
    const { phone } = await toldOf((response) => {
      response.writeHead(307, { location: elsewhere.endpoint }).end();
    });
    await until(() => expect(phone.calls()).toBe(1));
    const other = await toldOf(201);
    await told(other.phone, ['accepted']);
    expect([phone.calls(), elsewhere.calls()]).toEqual([1, 0]);
  });

  it('never answers delays nobody, and a newer state replaces the pending one', async () => {
    const held: (() => void)[] = [];
    const { phone, courier, id } = await toldOf((response) => {
      held.push(() => response.writeHead(201).end());
    });
    await told(phone, ['accepted']);
    const other = await toldOf(201);
    await told(other.phone, ['accepted']);
    // The pending one is aborted for the newer one, not followed by it.
    phone.answer(201);
    await stage().deliver(courier, id);
    await told(phone, ['accepted', 'delivered']);
    for (const release of held) release();
    expect(phone.calls()).toBe(2);
  });
});

describe('notifications', () => {
  it('are sent only after their transaction commits', async () => {
    const { phone, sender, courier, id } = await toldOf(201);
    await told(phone, ['accepted']);
    const delivered = {
      id,
      before: { status: 'in-transit' as const, courierId: courier.id },
      after: { status: 'delivered' as const, courierId: courier.id },
      actorId: courier.id,
      now: stage().now(),
    };
    await expect(
      stage().db.transaction(async (tx) => {
        await enqueueNotification(tx, delivered);
        throw new Error('undone');
      }),
    ).rejects.toThrow('undone');
    const next = await stage().created(sender);
    await stage().accept(courier, next._id);
    await told(phone, ['accepted', 'accepted']);
    expect(await stage().db.select().from(notificationQueue)).toEqual([]);
  });

  it('are sent once, though several servers are nudged simultaneously', async () => {
    const second = await stage().another();
    const [sender, courier] = await stage().people('Customer', 'Employee');
    const phone = await subscribed(stage(), sender, service().phone(), ['accepted']);
    const made = [];
    for (let count = 0; count < 6; count += 1) {
      made.push((await stage().created(sender))._id);
    }
    await Promise.all(made.map((id, at) => (at % 2 ? second : stage()).accept(courier, id)));
    await until(() => expect(kindsAt(phone)).toHaveLength(made.length));
    const ids = phone.received.map(({ message }) => message.id);
    expect(ids.sort()).toEqual(made.sort());
  });
});

describe('an endpoint', () => {
  it.each([
    'https://127.0.0.1/push',
    'https://localhost/push',
    'https://10.1.2.3/push',
    'https://192.168.0.1/push',
    'https://172.20.0.1/push',
    'https://169.254.169.254/latest/meta-data',
    'https://100.64.0.1/push',
    'https://0.0.0.0/push',
    'https://2130706433/push',
    'https://0x7f.1/push',
    'https://[::1]/push',
    'https://[::ffff:10.0.0.1]/push',
    'https://[::ffff:7f00:1]/push',
    'https://[::ffff:0:127.0.0.1]/push',
    'https://[::ffff:0:a00:1]/push',
    'https://[fd00::1]/push',
    'https://[fe80::1]/push',
    'https://[64:ff9b::a00:1]/push',
    'https://metadata.google.internal/push',
    'https://kaya/push',
    'https://printer.local/push',
    'https://push.example:22/push',
    'http://push.example/push',
  ])('is refused in production: %s', (endpoint) => {
    expect(isAllowedEndpoint(endpoint, false)).toBe(false);
  });

  it.each([
    'https://fcm.googleapis.com/fcm/send/abc:def',
    'https://updates.push.services.mozilla.com/wpush/v2/gAAA',
    'https://web.push.apple.com/QABC',
    'https://wns2-par02p.notify.windows.com/w/?token=BQYAAA%3d',
    'https://[2a00:1450::1]/push',
  ])('is accepted: %s', (endpoint) => {
    expect(isAllowedEndpoint(endpoint, false)).toBe(true);
  });

  it.each([
    'ftp://push.example/x',
    'https://user:secret@push.example/x',
    'https://push.example/x#y',
    'https://push.example\\@127.0.0.1/x',
    'https://push.example/a b',
    `https://push.example/${'x'.repeat(1000)}`,
    'https://10.0.0.1/push',
  ])('is refused by field name: %s', async (endpoint) => {
    const who: Person = await stage().person('Customer');
    const body = { ...service().phone().subscription(['accepted']), endpoint };
    const answer = await stage().send(who, 'PUT', '/api/push', { body });
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([422, ['endpoint']]);
  });
});

it('the log contains no endpoint, key or message', async () => {
  const { phone, id } = await toldOf(503);
  await until(() => expect(phone.calls()).toBe(pushPace.tries));
  const { keys } = phone.subscription(['accepted']);
  const text = stage().logs.join('');
  const token = phone.received[0]?.headers.authorization ?? 'none';
  for (const secret of [new URL(phone.endpoint).pathname, keys.p256dh, keys.auth, token]) {
    expect(text).not.toContain(secret);
  }
  expect(text).not.toContain(id);
  expect(text).not.toContain(String(packageBody().recipientName));
});
