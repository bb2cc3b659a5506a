import { createHash, randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import type { WirePackage } from '#contract/package.ts';
import { idempotencyKeys, packages, serverSettings } from '#server/database/schema.ts';
import { Refusal } from '#server/http/refusal.ts';
import { createIdempotency } from '#server/plugins/idempotency.ts';
import { barrier } from './barrier.ts';
import {
  type Answer,
  acceptance,
  fileStage,
  outcomeOf,
  type Person,
  packageBody,
} from './stage.ts';

const stage = fileStage();
let sender: Person;
beforeEach(async () => {
  sender = await stage().person('Customer');
});

const withKey = (key: string) => ({ 'idempotency-key': key });
const isReplayed = (answer: Answer<unknown>) => answer.headers['idempotency-replayed'] === 'true';

function post(who: Person, key: string, body: unknown = packageBody()) {
  return stage().send(who, 'POST', '/api/packages', { body, headers: withKey(key) });
}

const patch = (who: Person, pkg: { _id: string }, key: string, body: object) =>
  stage().patch(who, pkg, body, withKey(key));

const packagesOf = ({ id }: Person) => stage().db.$count(packages, eq(packages.senderId, id));
const keysOf = (userId: string) =>
  stage().db.$count(idempotencyKeys, eq(idempotencyKeys.userId, userId));

describe('a repeated key', () => {
  it('replays the first answer byte for byte, but its code and link, without a second effect', async () => {
    const key = randomUUID();
    const first = await post(sender, key);
    const again = await post(sender, key);
    expect([first.status, isReplayed(first)]).toEqual([201, false]);
    expect([again.status, isReplayed(again)]).toEqual([201, true]);
    const stored = first.text.replace(/("(?:returnCode|trackingPath)":)"[^"]+"/g, '$1null');
    expect([again.text, stored.length < first.text.length]).toEqual([stored, true]);
    expect(again.headers['content-type']).toBe(first.headers['content-type']);
    expect(await packagesOf(sender)).toBe(1);
  });

  it('replays the first outcome even if the package has changed since', async () => {
    const [sender, courier] = await stage().people('Customer', 'Employee');
    const pkg = await stage().created(sender);
    const accept = acceptance(courier);
    const key = randomUUID();
    const first = await patch(courier, pkg, key, accept);
    await patch(courier, pkg, randomUUID(), { deliveryStatus: 'Delivered' });
    const again = await patch(courier, pkg, key, accept);
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.text).toBe(first.text);
    const { body } = await stage().send<WirePackage>(sender, 'GET', `/api/packages/${pkg._id}`);
    expect([body.deliveryStatus, body.version]).toEqual(['Delivered', 3]);
  });

  it('compares bodies by value, not by the order of fields', async () => {
    const body = packageBody();
    const reversed = Object.fromEntries(Object.entries(body).reverse());
    await post(sender, 'order', body);
    expect(isReplayed(await post(sender, 'order', reversed))).toBe(true);
  });

  it('replays a delete of a package that is gone', async () => {
    const pkg = await stage().created(sender);
    const headers = { 'idempotency-key': randomUUID() };
    const path = `/api/packages/${pkg._id}`;
    const first = await stage().send(sender, 'DELETE', path, { headers });
    const again = await stage().send(sender, 'DELETE', path, { headers });
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
  });

  it('is independent for another user', async () => {
    const [one, other] = await stage().people('Customer', 'Customer');
    await post(one, 'shared');
    const answer = await post(other, 'shared');
    expect([answer.status, isReplayed(answer)]).toEqual([201, false]);
  });
});

describe('a key reused for something else', () => {
  it('is refused for another body, path, method or package', async () => {
    const pkg = await stage().created(sender);
    await post(sender, 'mine');
    const body = await post(sender, 'mine', packageBody({ priceOffer: 1501 }));
    const path = await patch(sender, pkg, 'mine', packageBody());
    const other = await stage().created(sender);
    await patch(sender, other, 'gate', { notes: 'Gate 2' });
    const row = await patch(sender, pkg, 'gate', { notes: 'Gate 2' });
    const headers = { 'idempotency-key': 'mine' };
    const method = await stage().send(sender, 'DELETE', `/api/packages/${pkg._id}`, { headers });
    for (const answer of [body, path, method, row]) {
      expect(outcomeOf(answer)).toEqual([422, 'key_reused']);
    }
    expect(await packagesOf(sender)).toBe(3);
  });

  it('with an overly nested body is a 4xx, not a 5xx', async () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const deep = `{"a":${open.repeat(9000)}1${close.repeat(9000)}}`;
      expect((await post(sender, randomUUID(), deep)).status).toBeLessThan(500);
    }
  });

  it('is refused for another password, which is not stored as a fast hash', async () => {
    const person = await stage().person('Customer');
    const headers = { 'idempotency-key': 'password' };
    const change = (password: string) =>
      stage().send(person, 'PATCH', '/api/users', { headers, body: { id: person.id, password } });
    expect((await change('first-one')).status).toBe(200);
    expect(isReplayed(await change('first-one'))).toBe(true);
    expect((await change('second-one')).body.code).toBe('key_reused');
    await stage().signIn(person.email, 'first-one');
    const stored = await stage().db.select().from(idempotencyKeys);
    const request = `PATCH /api/users\n${JSON.stringify({ id: person.id, password: 'first-one' })}`;
    const fastHash = createHash('sha256').update(request).digest('hex');
    expect(stored.map(({ fingerprint }) => fingerprint)).not.toContain(fastHash);
  });
});

describe('concurrent requests with one key', () => {
  const outcome = { status: 200, body: '{"done":true}', isReplayed: false };
  const request = (userId: string) => ({
    userId,
    key: 'slow',
    method: 'PATCH',
    path: '/api/users',
    body: { a: 1 },
  });

  it('are asked to retry while the first runs, then get its replay', async () => {
    const { database, now } = stage();
    const { id } = await stage().person('Customer');
    const { once } = createIdempotency(database.db, now);
    const { passed: gate, open } = barrier();
    const first = once(request(id), async () => {
      await gate;
      return async () => outcome;
    });
    const mustNotRun = () => Promise.reject(new Error('It ran a second time.'));
    await expect(once(request(id), mustNotRun)).rejects.toMatchObject({ code: 'in_progress' });
    open();
    expect(await first).toEqual(outcome);
    const again = await once(request(id), async () => mustNotRun);
    expect(again).toEqual({ ...outcome, isReplayed: true });
  });
});

describe('refusals', () => {
  it('that depend on state are stored: the key stays refused', async () => {
    const [first, second] = await stage().people('Employee', 'Employee');
    const pkg = await stage().created(sender);
    await patch(first, pkg, randomUUID(), acceptance(first));
    const refused = await patch(second, pkg, 'late', acceptance(second));
    expect(outcomeOf(refused)).toEqual([409, 'already_assigned']);
    await patch(first, pkg, randomUUID(), { deliveryPersonId: null });
    const again = await patch(second, pkg, 'late', acceptance(second));
    expect([again.status, again.text]).toEqual([409, refused.text]);
    expect(isReplayed(again)).toBe(true);
  });

  it.each([
    [403, { senderId: randomUUID() }],
    [422, { priceOffer: -1 }],
  ])('with %i for fields or policy are stored', async (status, changes) => {
    const body = packageBody(changes);
    expect((await post(sender, 'refused', body)).status).toBe(status);
    const again = await post(sender, 'refused', body);
    expect([again.status, isReplayed(again)]).toEqual([status, true]);
  });

  it("roll back the mutation's writes and are stored", async () => {
    const { database, now } = stage();
    const { id: userId } = await stage().person('Customer');
    const { once } = createIdempotency(database.db, now);
    const request = { userId, key: 'undone', method: 'POST', path: '/api/x', body: {} };
    const refused = await once(request, async () => async (tx) => {
      await tx.insert(serverSettings).values({ name: 'half done', value: 'x' });
      throw new Refusal('invalid_state');
    });
    expect(refused.status).toBe(409);
    expect(await keysOf(userId)).toBe(1);
    const rows = await database.db.select().from(serverSettings);
    expect(rows.map(({ name }) => name)).not.toContain('half done');
  });

  it('with 401 or 400 are not stored', async () => {
    await post({ ...sender, token: 'x.y.z' }, 'unsigned');
    await post(sender, 'unsigned', '{"pickupAddress":');
    expect(await keysOf(sender.id)).toBe(0);
    expect((await post(sender, 'unsigned')).status).toBe(201);
  });
});

it('an internal error stores nothing and rolls back: the key works afterwards', async () => {
  await stage().db.execute(
    "alter table packages add constraint broken check (description <> 'boom')",
  );
  const body = packageBody({ description: 'boom' });
  const failed = await post(sender, 'ours', body);
  expect(outcomeOf(failed)).toEqual([500, 'internal']);
  expect(await keysOf(sender.id)).toBe(0);
  await stage().db.execute('alter table packages drop constraint broken');
  const again = await post(sender, 'ours', body);
  expect([again.status, isReplayed(again)]).toEqual([201, false]);
  expect(stage().logs.join('')).toContain('broken');
  expect(stage().logs.join(''), 'a parameter of the query is in the log').not.toContain('boom');
});
