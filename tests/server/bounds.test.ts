/** Every list that grows with what one account does has a bound, and every answer with it. */
import { randomUUID } from 'node:crypto';
import { count, eq, getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { describe, expect, it } from 'vitest';
import { eventsPerPage, type WireEvent } from '#contract/event.ts';
import type { WirePackage } from '#contract/package.ts';
import * as accountSchema from '#server/database/account-schema.ts';
import * as moneySchema from '#server/database/money-schema.ts';
import * as pushSchema from '#server/database/push-schema.ts';
import * as recipientSchema from '#server/database/recipient-schema.ts';
import * as schema from '#server/database/schema.ts';
import { sessionsPerUser } from '#server/modules/auth/repository.ts';
import { mostTokensAnHour } from '#server/modules/auth/session-service.ts';
import { mostAnHour } from '#server/modules/packages/package-events.ts';
import { maxNotes } from '#server/modules/tracking/tracking.ts';
import { limitsPer } from '#server/plugins/rate-limits.ts';
import * as pictures from '#tests/builders/pictures.ts';
import { rounds } from '#tests/size.ts';
import { packageCalls, photo, tidy } from './package-calls.ts';
import { codeOf, fileStage, outcomeOf, type Person, refresh } from './stage.ts';

const limits = { changes: 70, texts: 3 };
const stage = fileStage({
  RATE_LIMIT: 'on',
  CHANGES_PER_HOUR: `${limits.changes}`,
  SMS_PER_HOUR: `${limits.texts}`,
});
const hourMs = 3_600_000;

let networks = 0;
const person = (role: 'Customer' | 'Employee') => stage().person(role);

/** The access token has ended, too. */
async function anHourLater(who: Person): Promise<Person> {
  stage().pass(hourMs);
  return stage().again(who);
}

interface Delivery {
  id: string;
  sender: Person;
  courier: Person;
  pkg: WirePackage;
}

async function carried(changes: object = {}, by: Partial<Delivery> = {}): Promise<Delivery> {
  const sender = by.sender ?? (await person('Customer'));
  const courier = by.courier ?? (await person('Employee'));
  const pkg = await stage().created(sender, { ...changes });
  await stage().accept(courier, pkg);
  return { id: pkg._id, sender, courier, pkg };
}

const { record, put, read, newLink } = packageCalls(stage);

/** Adds this many within the hour that the server counts. */
async function counted(key: string, many: number): Promise<void> {
  const endsAt = new Date(stage().now().getTime() + hourMs);
  await stage().db.insert(schema.rateLimits).values({ key, count: many, endsAt });
}

/** Calls until refused; returns how many succeeded, and the refusal. */
async function until(
  call: (nth: number) => Promise<{ status: number; body: { code?: string } | null }>,
): Promise<{ done: number; refusal: unknown[] }> {
  for (let done = 0; done < 500; done += 1) {
    const answer = await call(done);
    if (answer.status >= 400) return { done, refusal: outcomeOf(answer) };
  }
  throw new Error('There is no bound.');
}

const note = '₦'.repeat(1000);

/** Steps of this hour, as the server writes them. */
async function written({ id }: Pick<Delivery, 'id'>, by: Person, many: number): Promise<void> {
  if (many === 0) return;
  const at = stage().now();
  const moments = { occurredAt: at, receivedAt: at, effectiveAt: at };
  const one = { packageId: id, actorId: by.id, type: 'arrived' as const, note, ...moments };
  const rows = Array.from({ length: many }, () => ({ id: randomUUID(), ...one }));
  await stage().db.insert(schema.packageEvents).values(rows);
}
/** All but a few, which the server writes. */
const nearlyAll = rounds(mostAnHour - 6, 0);

/** Picked up and taken back, in turns. */
async function inTurns({ courier, id }: Delivery) {
  let last = '';
  return until(async (nth) => {
    const isBack = nth % 2 === 1;
    const _id = randomUUID();
    const details = { _id, note, ...(isBack ? { corrects: last } : {}) };
    const answer = await record(courier, id, isBack ? 'corrected' : 'picked_up', details);
    last = _id;
    return answer;
  });
}

describe('the steps of one package', () => {
  it('are as many an hour as one person may need, and nobody uses up another’s', async () => {
    const delivery = await carried();
    await written(delivery, delivery.courier, nearlyAll);
    // Accepting was one.
    expect(await inTurns(delivery)).toEqual({
      done: mostAnHour - nearlyAll - 1,
      refusal: [409, 'too_many_steps'],
    });
    const { sender, courier, id, pkg } = delivery;
    const rejected = await stage().reject(courier, pkg);
    expect(outcomeOf(rejected)[0]).toBe(409);
    expect((await stage().patch(sender, pkg, { notes: 'Ring twice.' })).status).toBe(200);
    const other = await person('Employee');
    const handover = await record(await stage().admin(), id, 'handover', { courierId: other.id });
    expect(handover.status).toBe(201);
    expect((await record(other, id, 'arrived')).status).toBe(201);
  });

  it('are bounded for every way to write one', async () => {
    const sender = await person('Customer');
    const pkg = await stage().created(sender);
    await written({ id: pkg._id }, sender, nearlyAll);
    const edits = await until((nth) => stage().patch(sender, pkg, { notes: `Gate ${nth}` }));
    expect(edits).toEqual({ done: mostAnHour - nearlyAll - 1, refusal: [409, 'too_many_steps'] });
    const later = await anHourLater(sender);
    expect((await stage().patch(later, pkg, { notes: 'Ring twice.' })).status).toBe(200);
  });

  it('are read in pages of bounded size, newest first, without a gap', async () => {
    const delivery = await carried();
    await written(delivery, delivery.courier, 2 * eventsPerPage + 1);
    const { sender } = delivery;
    const read = async (query: string) => {
      const path = `/api/packages/${delivery.id}/events${query}`;
      const { text, body } = await stage().send<WireEvent[]>(sender, 'GET', path);
      expect(Buffer.byteLength(text)).toBeLessThan(256 * 1024);
      expect(body.length).toBeLessThanOrEqual(eventsPerPage);
      return body;
    };
    let events = await read('');
    for (let page = events; page.length === eventsPerPage; ) {
      page = await read(`?before=${events[0]?.seq}`);
      events = [...page, ...events];
    }
    const { packageEvents } = schema;
    const all = await stage()
      .db.select({ id: packageEvents.id })
      .from(packageEvents)
      .where(eq(packageEvents.packageId, delivery.id))
      .orderBy(packageEvents.seq);
    expect(all.length).toBeGreaterThan(2 * eventsPerPage);
    expect(events.map(({ _id }) => _id)).toEqual(all.map(({ id }) => id));
    // The recipient's page reads all of them too.
    const path = delivery.pkg.trackingPath ?? '';
    const page = await stage().send(null, 'GET', path);
    expect(page.text.length).toBeLessThan(30_000);
  });
});

describe('pictures', () => {
  const recorded = () => stage().db.select({ n: count() }).from(schema.proofs);
  /** Pictures of this package that came before. */
  const stored = (courier: Person, packageId: string, many: number) => {
    const [bytes, createdAt] = [pictures.png, stage().now()];
    const picture = { bytes, digest: '', type: 'image/png' as const };
    const kept = { size: bytes.length, storedDigest: '' };
    const one = { packageId, courierId: courier.id, createdAt, ...picture, ...kept };
    const rows = Array.from({ length: many }, () => ({ id: randomUUID(), ...one }));
    return stage().db.insert(schema.proofs).values(rows);
  };

  it('of one person and package are forty at most, of many at the same time too', async () => {
    const { courier, id } = await carried();
    await stored(courier, id, 34);
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => put(courier, id, randomUUID())),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(6);
    expect(new Set(answers.map(({ body }) => body.code))).toEqual(
      new Set([undefined, 'invalid_state']),
    );
  });

  it('of one person and package use up nobody else’s: the next courier’s, nor the courier’s by the sender', async () => {
    const { sender, courier, id, pkg } = await carried();
    await stored(courier, id, 40);
    expect(await codeOf(put(courier, id, randomUUID()))).toBe('invalid_state');
    await stage().reject(courier, pkg);
    const next = await person('Employee');
    await stage().accept(next, pkg);
    await record(next, id, 'picked_up');
    await stored(sender, id, 40);
    const proof = photo();
    expect((await record(next, id, 'delivered', { proof })).status).toBe(201);
    expect((await put(next, id, proof.photoIds[0] ?? '')).status).toBe(200);
    const { verifiedBy, photosMissing } = await read(next, id);
    expect([verifiedBy, photosMissing]).toEqual(['photo', 0]);
  });

  it('of one courier are so many an hour, then wait as long as Retry-After says', async () => {
    const [courier, sender] = await stage().people('Employee', 'Customer');
    const ids = [(await carried({}, { courier, sender })).id];
    ids.push((await carried({}, { courier, sender })).id);
    const { max } = limitsPer.storePicture.account;
    await counted(`storePicture account ${courier.id}`, max - 4);
    const taken = await until((nth) => put(courier, ids[nth % 2] ?? '', randomUUID()));
    expect(taken).toEqual({ done: 4, refusal: [429, 'rate_limited'] });
    const before = await recorded();
    const again = await put(courier, ids[0] ?? '', randomUUID());
    expect(await recorded()).toEqual(before);
    stage().pass(Number(again.headers['retry-after']) * 1000);
    const later = await stage().again(courier);
    expect((await put(later, ids[0] ?? '', randomUUID())).status).toBe(200);
  });

  it('of one courier are so many bytes an hour', async () => {
    const { courier, id } = await carried();
    const { max } = limitsPer.storePictureBytes.account;
    await counted(`storePictureBytes account ${courier.id}`, max - pictures.png.length);
    expect((await put(courier, id, randomUUID())).status).toBe(200);
    expect(await codeOf(put(courier, id, randomUUID()))).toBe('rate_limited');
  });

  it('that no event names go after a day, and the others stay', async () => {
    const { courier, id } = await carried();
    const proof = { ...photo(), signatureId: randomUUID() as string };
    const [named, unnamed] = [[...proof.photoIds, proof.signatureId].sort(), randomUUID()];
    expect((await record(courier, id, 'delivered', { proof })).status).toBe(201);
    for (const one of [...named, unnamed]) await put(courier, id, one);
    const left = async () => {
      expect(await tidy(stage())).toEqual([]);
      const rows = stage().db.select({ id: schema.proofs.id }).from(schema.proofs);
      const kept = await rows.where(eq(schema.proofs.packageId, id));
      return kept.map((row) => row.id).sort();
    };
    stage().pass(24 * hourMs - 1);
    expect(await left()).toEqual([...named, unnamed].sort());
    stage().pass(2);
    expect(await left()).toEqual(named);
  });
});

describe('text messages', () => {
  const statuses = async (ids: string[]) => {
    const { texts } = recipientSchema;
    const rows = await stage().db.select().from(texts);
    return ids.map((id) => rows.find(({ packageId }) => packageId === id)?.status);
  };

  it('go to the countries of the setting only', async () => {
    const numbers = {
      '0805 765 4321': 'waiting',
      '+44 20 7946 0018': 'dropped',
      '+229 01 97 12 34 56': 'dropped',
      // By satellite.
      '+8816 2145 0123': 'dropped',
    };
    const by = { sender: await person('Customer'), courier: await person('Employee') };
    for (const [recipientPhone, status] of Object.entries(numbers)) {
      const { courier, id } = await carried({ recipientPhone }, by);
      await record(courier, id, 'picked_up');
      expect([recipientPhone, await statuses([id])]).toEqual([recipientPhone, [status]]);
    }
  });

  it.each([
    'sender',
    'courier',
  ] as const)('of one %s are so many an hour, at the same time too', async (who) => {
    const [customer, employee] = ['Customer', 'Employee'] as const;
    const isSender = who === 'sender';
    const one = await person(isSender ? customer : employee);
    // Enough people that none of them reaches the bound alone.
    const others = [];
    for (const _ of [1, 2]) others.push(await person(isSender ? employee : customer));
    const other = isSender ? 'courier' : 'sender';
    const ids: string[] = [];
    const all: Delivery[] = [];
    for (let nth = 0; nth < limits.texts + 3; nth += 1) {
      const phone = `+23480${who === 'sender' ? 1 : 2}55500${nth}0`;
      all.push(await carried({ recipientPhone: phone }, { [who]: one, [other]: others[nth % 2] }));
      ids.push(all[nth]?.id ?? '');
    }
    await Promise.all(all.map(({ courier, id }) => record(courier, id, 'picked_up')));
    const sent = (await statuses(ids)).filter((status) => status === 'waiting');
    expect(sent).toHaveLength(limits.texts);
  });
});

/** Adds to the list until it is full, and returns how long it is. */
const fillers: Record<string, { bound: number; fill: () => Promise<number> }> = {
  'stored answers of a user, by the hour': {
    bound: limits.changes,
    fill: async () => {
      const someone = await person('Customer');
      const change = (nth: number) => {
        const headers = { 'idempotency-key': randomUUID() };
        const body = { id: someone.id, address: `${nth} Zoo Road` };
        return stage().send(someone, 'PATCH', '/api/users', { body, headers });
      };
      return (await until(change)).done;
    },
  },
  'replaced links of a sender, by the hour': {
    bound: limitsPer.replaceTracking.account.max,
    fill: async () => {
      const sender = await person('Customer');
      const { _id } = await stage().created(sender);
      return (await until(() => newLink(sender, _id))).done;
    },
  },
  'sessions of a user': {
    bound: sessionsPerUser,
    fill: async () => {
      const someone = await person('Customer');
      const { sessions } = schema;
      const before = { userId: someone.id, isTrusted: false, createdAt: new Date(0) };
      const many = Array.from({ length: sessionsPerUser }, () => ({ id: randomUUID(), ...before }));
      await stage().db.insert(sessions).values(many);
      const { token } = await stage().signIn(someone.email);
      const path = '/api/packages';
      for (const one of [someone, { ...someone, token }]) {
        expect((await stage().send(one, 'GET', path)).status).toBe(200);
      }
      return stage().db.$count(sessions, eq(sessions.userId, someone.id));
    },
  },
  'tokens of a session, by the hour': {
    bound: mostTokensAnHour,
    fill: async () => {
      const { cookie, id } = await person('Customer');
      const { refreshTokens, sessions } = schema;
      const { db } = stage().database;
      const [session] = await db.select().from(sessions).where(eq(sessions.userId, id));
      const sessionId = session?.id ?? '';
      const [createdAt, expiresAt] = [stage().now(), new Date(stage().now().getTime() + hourMs)];
      const many = Array.from({ length: mostTokensAnHour - 2 }, () => ({
        ...{ tokenHash: randomUUID(), sessionId, createdAt, expiresAt },
      }));
      await db.insert(refreshTokens).values(many);
      // One use after another of the same cookie, as by two tabs.
      await until(() => refresh(stage(), cookie));
      return db.$count(refreshTokens, eq(refreshTokens.sessionId, sessionId));
    },
  },
  'top-ups of a user, by ten minutes': {
    bound: limitsPer.initiatePayment.account.max,
    fill: async () => {
      const someone = await person('Customer');
      const body = { email: someone.email, amount: 100 };
      const path = '/api/payments/initiate';
      let calls = limitsPer.initiatePayment.account.max - 2;
      await counted(`initiatePayment account ${someone.id}`, calls);
      // The provider is not listening; each is written before it is called.
      await until(async () => {
        const answer = await stage().send(someone, 'POST', path, { body });
        calls += 1;
        return answer.status === 503 ? { status: 200, body: null } : answer;
      });
      return calls - 1;
    },
  },
};

describe('a list that grows with what one account does', () => {
  it.each(Object.keys(fillers))('is bounded: %s', async (name) => {
    const { bound = 0, fill } = fillers[name] ?? {};
    expect(await fill?.()).toBe(bound);
  });

  /** By table; the words say what bounds it: a row above, or a test elsewhere. */
  const tables: Record<string, string> = {
    packages: 'packages created by one account in an hour (carrying.test.ts)',
    package_events: 'steps of one package',
    proofs: 'pictures',
    texts: 'text messages',
    assignments: 'packages accepted in an hour (carrying.test.ts)',
    idempotency_keys: 'stored answers of a user, by the hour',
    replaced_links: 'replaced links of a sender, by the hour',
    sessions: 'sessions of a user',
    refresh_tokens: 'tokens of a session, by the hour',
    push_subscriptions: 'one of ten at most (push.test.ts)',
    positions: 'only the last one (positions.test.ts)',
    top_ups: 'top-ups of a user, by ten minutes',
    // With a step of a package, a top-up or an admin; read in pages.
    transfers: 'steps of one package',
    entries: 'steps of one package',
    // One of each user, whose sign-ups are limited by network (rate-limits.test.ts).
    users: 'by network',
    wallets: 'by network',
    // With a step of a package, and deleted as it is sent.
    push_news: 'steps of one package',
    rate_limits: 'deleted once they are over',
    server_settings: 'names of the server’s own',
    sandbox_transactions: 'top-ups of a user, by ten minutes',
    sandbox_texts: 'text messages',
    // Of an e-mail without an account, deleted as the sender looks.
    mails: 'mails to one e-mail, by the hour (recovery.test.ts)',
    account_tokens: 'mails to one e-mail, by the hour (recovery.test.ts)',
    sandbox_mails: 'mails to one e-mail, by the hour (recovery.test.ts)',
  };

  it('is each table of the database', () => {
    const all = [schema, accountSchema, moneySchema, pushSchema, recipientSchema].flatMap(
      (module) =>
        Object.values(module).flatMap((each: unknown) =>
          is(each, PgTable) ? getTableName(each) : [],
        ),
    );
    expect(Object.keys(tables).sort()).toEqual(all.sort());
  });
});

it('a replaced link has ten notes of its own', async () => {
  const { sender, id, pkg } = await carried();
  const leave = (path: string | null | undefined, text: string) => {
    networks += 1;
    const body = { kind: 'safe_place', text };
    const how = { body, remoteAddress: `10.22.${networks}.1` };
    return stage().send(null, 'POST', `/api/track/${path?.split('/').at(-1)}/notes`, how);
  };
  for (let nth = 0; nth < maxNotes; nth += 1) await leave(pkg.trackingPath, `Stranger ${nth}`);
  expect(await codeOf(leave(pkg.trackingPath, 'One more'))).toBe('invalid_state');
  const { body } = await newLink(sender, id);

  for (let nth = 0; nth < maxNotes; nth += 1) {
    expect((await leave(body.trackingPath, `At the gate ${nth}`)).status).toBe(201);
  }
  expect(await codeOf(leave(body.trackingPath, 'One more'))).toBe('invalid_state');
});
