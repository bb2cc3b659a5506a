/**
 * Nobody gains by steps of their own alone (docs/decisions/0089): from each state that money passes
 * through, each party tries every step, alone and one after the other. Whatever the server takes, what
 * they have in hand grows by no kobo.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RecordEventBody, recordedTypes } from '#contract/event.ts';
import type { PatchPackageBody } from '#contract/package.ts';
import type { Actor } from '#domain/policy.ts';
import type { Database } from '#server/database/database.ts';
import { Refusal } from '#server/http/refusal.ts';
import { audit } from '#server/modules/ledger/audit.ts';
import { walletOf } from '#server/modules/ledger/repository.ts';
import { openDispute } from '#server/modules/packages/disputes.ts';
import { lastStep } from '#server/modules/packages/event-rules.ts';
import { readPast } from '#server/modules/packages/package-events.ts';
import { createPackage, patchPackage, recordEvent } from '#server/modules/packages/service.ts';
import { rounds } from '#tests/size.ts';
import { fileStage, type Person, packageBody } from './stage.ts';

const stage = fileStage();
const terms = { releaseAfterMs: 24 * 3_600_000, returnFeePercent: 50 };
let sender: Actor;
let courier: Actor;
let admin: Actor;
const db = () => stage().db;

beforeAll(async () => {
  const actorOf = ({ id }: Person, role: Actor['role']) => ({ id, role, isProfileComplete: true });
  sender = actorOf(await stage().person('Customer'), 'Customer');
  courier = actorOf(await stage().person('Employee'), 'Employee');
  admin = actorOf(await stage().admin(), 'Admin');
  for (const who of [sender, courier]) await stage().give(who, 100_000_000);
});
afterAll(async () => {
  expect(await audit(db())).toEqual([]);
});

type Step = (tx: Database, actor: Actor, id: string) => Promise<unknown>;

const event =
  (body: Pick<RecordEventBody, 'type'> & Partial<RecordEventBody>): Step =>
  async (tx, actor, id) => {
    const now = stage().now();
    const corrects = body.type === 'corrected' ? lastStep(await readPast(tx, id))?.id : undefined;
    const whole = { _id: randomUUID(), occurredAt: now.toISOString(), ...body };
    const sent = corrects === undefined ? whole : { ...whole, corrects };
    const rest = { sentAt: undefined, terms, texting: null };
    return recordEvent(tx, { actor, id, body: sent, now, ...rest });
  };
const patch =
  (body: PatchPackageBody): Step =>
  (tx, actor, id) =>
    patchPackage(tx, {
      actor,
      id,
      body,
      now: stage().now(),
      limits: { acceptPackage: async () => undefined },
      maxCarried: 1000,
      terms,
    });
const dispute: Step = (tx, actor, id) =>
  openDispute(tx, {
    actor,
    id,
    body: { _id: randomUUID(), kind: 'damaged', text: 'Wet' },
    now: stage().now(),
  });

const failed = (reason: RecordEventBody['reason']) => event({ type: 'attempt_failed', reason });
const relation = 'recipient' as const;
const shown = { photoIds: [randomUUID() as string], recipientName: 'Musa', relation };

const steps: Record<string, Step> = {
  ...Object.fromEntries(
    recordedTypes
      .filter((type) => type !== 'attempt_failed' && type !== 'handover')
      .map((type) => [type, event({ type })]),
  ),
  refused: failed('refused'),
  lost: failed('lost'),
  'delivered, shown': event({ type: 'delivered', proof: shown }),
  'delivered by a wrong code': event({ type: 'delivered', proof: { code: '000000' } }),
  'PATCH delivered': patch({ deliveryStatus: 'Delivered' }),
  'PATCH pending': patch({ deliveryStatus: 'Pending', deliveryPersonId: null }),
  'PATCH cancelled': patch({ deliveryStatus: 'Cancelled' }),
  'PATCH unpaid': patch({ paymentStatus: 'unpaid' }),
  'PATCH paid': patch({ paymentStatus: 'paid' }),
  'PATCH cash': patch({ paymentMethod: 'cash' }),
  'PATCH price': patch({ priceOffer: 1 }),
  dispute,
};

type Path = [by: 'sender' | 'courier' | 'admin', step: Step][];
const taken: Path = [
  ['courier', (tx, actor, id) => patch({ deliveryPersonId: actor.id })(tx, actor, id)],
];
const collected: Path = [...taken, ['courier', event({ type: 'picked_up' })]];
const tried: Path = [...collected, ['courier', failed('refused')]];
const done: Path = [...collected, ['courier', event({ type: 'delivered' })]];
const back: Path = [...collected, ['sender', event({ type: 'return_started' })]];
const declared: Path = [...back, ['sender', event({ type: 'returned' })]];
const confirmed: Path = [...done, ['sender', event({ type: 'confirmed' })]];
const withCode = (path: Path): Path => [['sender', patch({ handover: 'code' })], ...path];

const states: Record<string, Path> = {
  accepted: taken,
  'picked up': collected,
  'at the door': [...collected, ['courier', event({ type: 'arrived' })]],
  'tried, refused': tried,
  'tried, lost': [...collected, ['courier', failed('lost')]],
  'on its way back by the sender’s word': back,
  'on its way back, with a code': withCode(back),
  'declared back by the sender': declared,
  'declared back, with a code': withCode(declared),
  'declared back, disputed by the courier': [...declared, ['courier', dispute]],
  'declared back, and the courier said so': [
    ...declared,
    ['courier', event({ type: 'confirmed' })],
  ],
  'delivered on the courier’s word': done,
  'delivered with a picture that is missing': [
    ...collected,
    ['courier', steps['delivered, shown'] ?? dispute],
  ],
  confirmed,
  'confirmed, disputed by the sender': [...confirmed, ['sender', dispute]],
  'delivered on the sender’s word': [...collected, ['sender', event({ type: 'delivered' })]],
  'delivered, disputed by the sender': [...done, ['sender', dispute]],
  'delivered, disputed by the courier': [...done, ['courier', dispute]],
};

async function inState(path: Path): Promise<string> {
  const id = randomUUID();
  const body = packageBody({ _id: id, paymentMethod: 'app', priceOffer: 1500 });
  const call = { body: { deliveryDate: null, ...body } as never, now: stage().now() };
  const by = { sender, courier, admin };
  await db().transaction((tx) => createPackage(tx, { ...call, actor: sender, handover: 'none' }));
  for (const [who, step] of path) {
    stage().pass(1000);
    await db().transaction((tx) => step(tx, by[who], id));
  }
  return id;
}

const inHand = async (on: Database, { id }: Actor) => (await walletOf(on, id)).availableKobo;

class TakenBack extends Error {}

/**
 * What they have in hand once the server took it; null: it refused. A trial leaves no trace, so that all
 * steps can be tried on one package.
 */
async function attempt(
  step: Step,
  actor: Actor,
  id: string,
  { isTrial }: { isTrial: boolean },
): Promise<number | null> {
  stage().pass(1000);
  let kobo: number | null = null;
  try {
    await db().transaction(async (tx) => {
      await step(tx, actor, id);
      kobo = await inHand(tx, actor);
      if (isTrial) throw new TakenBack();
    });
  } catch (error) {
    if (error instanceof TakenBack) return kobo;
    if (!(error instanceof Refusal) || error.status >= 500) throw error;
    return null;
  }
  return kobo;
}
/** A word on what the other has said: there are two then. */
const secondWords = new Set([
  'declared back by the sender: Employee, confirmed',
  'declared back, with a code: Employee, confirmed',
]);

function judge(state: string, { role }: Actor, step: string, gainKobo: number): void {
  const what = `${state}: ${role}, ${step}`;
  if (!secondWords.has(what)) expect([what, Math.max(0, gainKobo)]).toEqual([what, 0]);
}

describe('nobody gains by a step of their own alone', { timeout: 300_000 }, () => {
  it.each(Object.keys(states))('%s', async (name) => {
    let count = 0;
    for (const actor of [sender, courier]) {
      const id = await inState(states[name] ?? []);
      const had = await inHand(db(), actor);
      for (const [step, act] of Object.entries(steps)) {
        const has = await attempt(act, actor, id, { isTrial: true });
        if (has === null) continue;
        count += 1;
        judge(name, actor, step, has - had);
      }
      // One after the other as well, as far as the server lets each go.
      const order = Object.entries(steps);
      for (const list of [order, order.toReversed()].slice(0, rounds(1, 2))) {
        const all = await inState(states[name] ?? []);
        let before = await inHand(db(), actor);
        for (const [step, act] of list) {
          const has = await attempt(act, actor, all, { isTrial: false });
          if (has === null) continue;
          judge(name, actor, step, has - before);
          before = has;
        }
      }
    }
    // Guard: some of them are taken.
    expect(count).toBeGreaterThan(0);
  });
});
