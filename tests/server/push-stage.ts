/** Shared by the notification tests: phones behind a push service, and waits for them. */
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import type { NewsKind, PushKind, PushSubscriptionBody } from '#contract/push.ts';
import { pushSubscriptions } from '#server/database/push-schema.ts';
import {
  type PushPhone,
  type PushServiceOfTests,
  startPushService,
} from '#tests/fakes/push-service.ts';
import type { Person, Stage } from './stage.ts';

/** Allows loopback push services and retries within milliseconds. */
export const pushEnvironment = { NODE_ENV: 'test' };

export function filePushService(): () => PushServiceOfTests {
  let service: PushServiceOfTests | undefined;
  beforeAll(async () => {
    service = await startPushService();
  });
  afterAll(() => service?.close());
  return () => {
    if (!service) throw new Error('The push service is not there yet.');
    return service;
  };
}

export async function subscribed(
  stage: Stage,
  who: Person,
  phone: PushPhone,
  kinds: PushKind[],
  changes: Partial<PushSubscriptionBody> = {},
): Promise<PushPhone> {
  const body = phone.subscription(kinds, changes);
  const answer = await stage.send(who, 'PUT', '/api/push', { body });
  expect([answer.status, answer.text]).toEqual([200, '{}']);
  return phone;
}

export const kindsAt = (phone: PushPhone) => phone.received.map(({ message }) => message.kind);

export async function until(check: () => unknown): Promise<void> {
  await vi.waitFor(check, { timeout: 10_000, interval: 10 });
}

/** The subscription of this phone, if it is still there. */
export async function rowOf(stage: Stage, { endpoint }: PushPhone) {
  const rows = stage.database.db.select().from(pushSubscriptions);
  return (await rows.where(eq(pushSubscriptions.endpoint, endpoint)))[0];
}

/** Resolves once this phone has received exactly this, in this order. */
export function told(phone: PushPhone, kinds: NewsKind[]): Promise<void> {
  return until(() => expect(kindsAt(phone)).toEqual(kinds));
}
