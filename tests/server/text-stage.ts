/** A stage with Termii's fake, and packages whose courier is on the way. */
import { randomUUID } from 'node:crypto';
import { asc, eq } from 'drizzle-orm';
import { afterAll, beforeEach } from 'vitest';
import type { WireEvent } from '#contract/event.ts';
import type { WirePackage } from '#contract/package.ts';
import { texts } from '#server/database/recipient-schema.ts';
import { createTermii } from '#server/modules/texts/providers/termii.ts';
import { undoMs } from '#server/modules/texts/repository.ts';
import { type SenderNeeds, sendDue } from '#server/modules/texts/sender.ts';
import {
  type FakeTermii,
  type TakenMessage,
  termiiKeys,
  type termiiReport,
} from '#tests/fakes/fake-termii.ts';
import type { Details, Step } from './package-calls.ts';
import { outcomeOf, type Person, type Stage } from './stage.ts';

/** Terms that match the stage's settings. */
export const terms = { countries: ['234'], perHour: 100 };

export const publicUrl = 'https://kaya.example';

/** The stage's environment. */
export const withTermii = (url: string) => ({
  PUBLIC_URL: publicUrl,
  TERMII_URL: url,
  TERMII_SENDER_ID: 'Kaya',
  TERMII_API_KEY: termiiKeys.apiKey,
  TERMII_SECRET_KEY: termiiKeys.secretKey,
});

export interface Carried {
  id: string;
  sender: Person;
  courier: Person;
  package: WirePackage;
}

const hourMs = 3_600_000;

/** Each test of the file begins at ten in the morning in Nigeria, and without messages. */
export function textStage(stage: () => Stage, termii: FakeTermii) {
  /** Moves the clock to the next time that it is `hour` in Nigeria. */
  const passUntil = (hour: number) => {
    const there = (stage().now().getTime() + hourMs) % (24 * hourMs);
    stage().pass((hour * hourMs - there + 24 * hourMs) % (24 * hourMs));
  };
  beforeEach(async () => {
    passUntil(10);
    await stage().db.delete(texts);
    termii.phones.length = 0;
    termii.calls = 0;
    termii.mood = 'honest';
  });
  afterAll(() => termii.close());

  /** Nights end access tokens. */
  const send = async <T>(who: Person, ...call: ['GET' | 'POST', string, { body?: object }?]) => {
    const answer = await stage().send<T>(who, ...call);
    if (answer.status !== 401) return answer;
    return stage().send<T>(await stage().again(who), ...call);
  };

  const carried = async (changes: Record<string, unknown> = {}): Promise<Carried> => {
    const sender = await stage().person('Customer');
    const courier = await stage().person('Employee', 'Sani');
    const made = await stage().created(sender, changes);
    const accepted = await stage().accept(courier, made);
    if (accepted.status !== 200) throw new Error(accepted.text);
    return { id: made._id, sender, courier, package: made };
  };

  /** Records a step by the courier; resolves with its id. */
  const step = async (
    { id, courier }: Carried,
    type: Step,
    more: Details = {},
  ): Promise<string> => {
    stage().pass(1000);
    const body = { _id: randomUUID(), type, occurredAt: stage().now().toISOString(), ...more };
    const path = `/api/packages/${id}/events`;
    const answer = await send(courier, 'POST', path, { body });
    if (answer.status !== 201) throw new Error(answer.text);
    return body._id;
  };

  const warnings: string[] = [];
  const sendTo = (url: string, timeoutMs = 10_000) =>
    createTermii({
      ...termiiKeys,
      senderId: 'Kaya',
      channel: 'dnd',
      timeoutMs,
      baseUrl: () => url,
    }).send;
  const needs = (changes: Partial<SenderNeeds> = {}, timeoutMs = 10_000): SenderNeeds => ({
    db: stage().db,
    now: stage().now,
    publicUrl: () => publicUrl,
    log: { warn: (...parts: unknown[]) => void warnings.push(JSON.stringify(parts)) },
    send: sendTo(termii.url, timeoutMs),
    terms,
    ...changes,
  });

  /** One round of the worker, once what was just written is due. */
  const round = async (changes: Partial<SenderNeeds> = {}, timeoutMs?: number) => {
    stage().pass(undoMs);
    await sendDue(needs(changes, timeoutMs));
  };

  return {
    passUntil,
    carried,
    step,
    warnings,
    sendTo,
    needs,
    round,
    /** Steps, each with a round after it. */
    tell: async (one: Carried, ...steps: [Step, Details?][]) => {
      for (const [type, details] of steps) {
        await step(one, type, details);
        await round();
      }
    },
    /** The last message that the provider has taken. */
    taken: (): TakenMessage => {
      const message = termii.phones.at(-1);
      if (!message) throw new Error('The provider has taken no message.');
      return message;
    },
    rows: ({ id }: Pick<Carried, 'id'>) =>
      stage().db.select().from(texts).where(eq(texts.packageId, id)).orderBy(asc(texts.createdAt)),
    /** What `who` reads beside the events that have a message. */
    history: async (who: Person, { id }: Carried) => {
      const path = `/api/packages/${id}/events`;
      const { body } = await send<WireEvent[]>(who, 'GET', path);
      return body.flatMap(({ type, text }) => (text ? [{ type, ...text }] : []));
    },
    report: async (report: ReturnType<typeof termiiReport>) =>
      outcomeOf(await stage().send(null, 'POST', '/api/texts/webhook', report)),
  };
}
