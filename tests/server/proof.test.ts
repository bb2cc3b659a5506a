/** Codes, photos, corrections and confirmations: what counts as delivered, and who learns what. */
import { createHash, randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import type { WirePackage } from '#contract/package.ts';
import { maxPictureBytes, maxPictureSide, pictureTypes } from '#contract/proof.ts';
import { pathOf, type Route, routes } from '#contract/routes.ts';
import { isCode } from '#domain/codes.ts';
import { idempotencyKeys, packageEvents, packages, proofs } from '#server/database/schema.ts';
import * as pictures from '#tests/builders/pictures.ts';
import { testDatabase } from './databases.ts';
import {
  type Details,
  packageCalls,
  photo,
  pictureHeaders,
  type Step,
  wrongCode,
} from './package-calls.ts';
import { closeSseClients, listenAs, listenOn } from './sse-client.ts';
import { acceptance, codeOf, fileStage, type Person, packageBody } from './stage.ts';

const stage = fileStage({ LOG_LEVEL: 'trace' });
const { record, steps, read, eventsFor, put, newLink } = packageCalls(stage);
closeSseClients();

const minute = 60_000;

interface Delivery {
  sender: Person;
  courier: Person;
  id: string;
  code: string;
  wrong: string;
  token: string;
  returnCode: string;
}

async function carried(changes: Record<string, unknown> = { handover: 'code' }): Promise<Delivery> {
  const [sender, courier] = await stage().people('Customer', 'Employee');
  const pkg = await stage().created(sender, changes);
  await stage().accept(courier, pkg);
  await record(courier, pkg._id, 'picked_up');
  const code = pkg.dropoffCode ?? '';
  const codes = { code, wrong: wrongCode(code), returnCode: pkg.returnCode ?? '' };
  return { sender, courier, id: pkg._id, token: pkg.dropoffToken ?? '', ...codes };
}

const deliver = (who: Person, id: string, proof: NonNullable<Details['proof']>) =>
  record(who, id, 'delivered', { proof });
/** The code and the tries left after each of so many wrong codes. */
async function guesses(who: Person, { id, wrong: code }: Pick<Delivery, 'id' | 'wrong'>, many = 5) {
  const left: unknown[] = [];
  for (let nth = 0; nth < many; nth += 1) {
    const { body } = await deliver(who, id, { code });
    left.push(body.triesLeft ?? body.code);
  }
  return left;
}
/** Chooses the handover again, which replaces the code. */
async function chooseAgain(id: string): Promise<void> {
  const admin = await stage().admin();
  for (const handover of ['none', 'code']) {
    await stage().patch(admin, id, { handover });
  }
}

describe('a handover by code', () => {
  it('has codes with a check digit and a token, of which a courier has the hash', async () => {
    const { sender, courier, id, code, token, returnCode } = await carried();
    expect([isCode(code), isCode(returnCode), token.length]).toEqual([true, true, 22]);
    const hash = createHash('sha256').update(token).digest('base64url');
    expect(await read(sender, id)).toMatchObject({ dropoffTokenHash: hash, dropoffCode: code });
    expect(await read(courier, id)).toMatchObject({
      handover: 'code',
      dropoffTokenHash: hash,
      dropoffCode: null,
      returnCode: null,
      dropoffToken: null,
    });
  });

  it('is what the sender says, else what the deployment says; without it there is no code', async () => {
    const elsewhere = await stage().another({ environment: { HANDOVER: 'code' } });
    const sender = await stage().person('Customer');
    const none = {
      handover: 'none',
      dropoffCode: null,
      dropoffToken: null,
      dropoffTokenHash: null,
    };
    expect(await stage().created(sender)).toMatchObject(none);
    expect((await elsewhere.created(sender)).handover).toBe('code');
    const pkg = await elsewhere.created(sender, { handover: 'none' });
    expect(pkg).toMatchObject(none);
    const changed = await stage().patch(sender, pkg, { handover: 'code' });
    expect(isCode(changed.body.dropoffCode ?? '')).toBe(true);
    const back = await stage().patch(sender, pkg, { handover: 'none' });
    expect(back.body).toMatchObject(none);
  });

  const shown = photo();
  it.each<[string, (delivery: Delivery) => NonNullable<Details['proof']>]>([
    ['code', ({ code }) => ({ code })],
    ['qr', ({ token }) => ({ qr: token })],
    ['photo', () => shown],
  ])('counts as delivered with a %s, and says so', async (verifiedBy, proofOf) => {
    const delivery = await carried();
    const { sender, courier, id } = delivery;
    // A picture proves nothing before it is there.
    if (verifiedBy === 'photo') await put(courier, id, shown.photoIds[0] ?? '');
    const { status, body } = await deliver(courier, id, proofOf(delivery));
    expect([status, body.verifiedBy]).toEqual([201, verifiedBy]);
    const event = (await eventsFor(sender, id)).at(-1);
    expect(event).toMatchObject({ type: 'delivered', proof: { verifiedBy } });
    if (verifiedBy === 'photo') expect(event?.proof).toMatchObject(shown);
  });

  it('needs a proof of its courier, by a PATCH too, and none of its sender and of admins', async () => {
    const { sender, courier, id } = await carried();
    const { recipientName: _, ...unnamed } = photo();
    for (const proof of [undefined, {}, unnamed, { recipientName: 'Musa' }]) {
      const details = proof ? { proof } : {};
      expect(await codeOf(record(courier, id, 'delivered', details))).toBe('proof_required');
    }
    const patched = (who: Person, _id: string) => stage().deliver(who, _id);
    expect(await codeOf(patched(courier, id))).toBe('proof_required');
    expect((await record(sender, id, 'delivered')).body.verifiedBy).toBe('sender');
    const other = await carried();
    expect((await patched(await stage().admin(), other.id)).body.verifiedBy).toBe('admin');
  });

  it('needs none where its sender wanted none, and may carry one', async () => {
    const plain = await carried({});
    const { body } = await record(plain.courier, plain.id, 'delivered');
    expect([body.deliveryStatus, body.verifiedBy]).toEqual(['Delivered', null]);
    const { courier, id } = await carried({});
    await put(courier, id, shown.photoIds[0] ?? '');
    expect((await deliver(courier, id, shown)).body.verifiedBy).toBe('photo');
  });

  it('records the cash collected with the delivery', async () => {
    const { sender, courier, id, code } = await carried();
    const details: Details = { proof: { code }, cashCollected: true };
    expect((await record(courier, id, 'delivered', details)).body.paymentStatus).toBe('paid');
    const types = (await eventsFor(sender, id)).map(({ type }) => type);
    expect(types.slice(-2)).toEqual(['delivered', 'paid']);
  });
});

describe('wrong codes', () => {
  it('are counted although refused, repeated or not, and the fifth locks the code', async () => {
    const delivery = await carried();
    const { sender, courier, id, code, wrong } = delivery;
    const occurredAt = stage().now().toISOString();
    const body = { _id: randomUUID(), type: 'delivered', proof: { code: wrong }, occurredAt };
    const how = { body, headers: { 'idempotency-key': randomUUID() } };
    for (const repeat of [1, 2, 3]) {
      const { body: said } = await stage().send(courier, 'POST', `/api/packages/${id}/events`, how);
      expect([repeat, said]).toMatchObject([repeat, { code: 'wrong_code', triesLeft: 4 }]);
    }
    expect(await guesses(courier, delivery, 3)).toEqual([3, 2, 1]);
    const { version, codeLocked } = await read(courier, id);
    expect(codeLocked).toBe(false);
    expect(await guesses(courier, delivery, 1)).toEqual([0]);
    // The phones hear of it.
    expect(await read(courier, id)).toMatchObject({ codeLocked: true, version: version + 1 });
    expect(await codeOf(deliver(courier, id, { code }))).toBe('code_locked');
    expect((await deliver(courier, id, photo())).status).toBe(201);
    // Refusals are no events.
    const types = (await eventsFor(sender, id)).map(({ type }) => type);
    expect(types.filter((type) => type === 'delivered')).toEqual(['delivered']);
  });

  it('count for the courier who made them: the next one has all tries', async () => {
    const delivery = await carried();
    const { courier, id, code } = delivery;
    expect(await guesses(courier, delivery)).toEqual([4, 3, 2, 1, 0]);
    const [second, admin] = [await stage().person('Employee'), await stage().admin()];
    await record(admin, id, 'handover', { courierId: second.id });
    expect((await read(second, id)).codeLocked).toBe(false);
    expect(await guesses(second, delivery, 1)).toEqual([4]);
    expect((await deliver(second, id, { code })).body.verifiedBy).toBe('code');

    const pkg = await stage().created(delivery.sender, { handover: 'code' });
    await stage().accept(courier, pkg);
    const right = pkg.dropoffCode ?? '';
    await guesses(courier, { id: pkg._id, wrong: wrongCode(right) });
    await stage().reject(courier, pkg);
    await stage().accept(second, pkg);
    expect((await deliver(second, pkg._id, { code: right })).body.verifiedBy).toBe('code');
  });

  it('lock apart for delivery and return; a scan is neither counted nor locked', async () => {
    const delivery = await carried();
    const { courier, id, wrong, returnCode } = delivery;
    for (let n = 0; n < 6; n += 1) {
      const { body } = await deliver(courier, id, { qr: 'x'.repeat(22) });
      expect([body.code, body.triesLeft]).toEqual(['wrong_code', 5]);
    }
    await guesses(courier, delivery);
    await steps(
      id,
      [courier, 'attempt_failed', { reason: 'no_code' }],
      [courier, 'return_started'],
    );
    expect((await read(courier, id)).codeLocked).toBe(false);
    expect(await codeOf(record(courier, id, 'returned'))).toBe('proof_required');
    const badly = await record(courier, id, 'returned', { proof: { code: wrong } });
    expect([badly.body.code, badly.body.triesLeft]).toEqual(['wrong_code', 4]);
    const { body } = await record(courier, id, 'returned', { proof: { code: returnCode } });
    expect(body).toMatchObject({ deliveryStatus: 'Cancelled', outcome: 'returned' });

    const locked = await carried();
    await guesses(locked.courier, locked);
    const scan = await deliver(locked.courier, locked.id, { qr: locked.token });
    expect(scan.body.verifiedBy).toBe('qr');
  });

  it(`are five at most of many at the same time, on two servers, on ${testDatabase}`, async () => {
    const { courier, id, wrong, code } = await carried();
    const servers = [stage(), await stage().another()];
    const proof = { code: wrong };
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, n) =>
        record(courier, id, 'delivered', { proof }, servers[n % 2]),
      ),
    );
    const codes = answers.map(({ body }) => body.code).sort();
    expect(codes).toEqual([...Array(11).fill('code_locked'), ...Array(5).fill('wrong_code')]);
    const left = answers.flatMap(({ body }) => body.triesLeft ?? []);
    expect(left.sort()).toEqual([0, 1, 2, 3, 4]);
    expect(await codeOf(deliver(courier, id, { code }))).toBe('code_locked');
  });

  it('are ten of a package, whoever gives them, at the same time too', async () => {
    const [sender, ...couriers] = await stage().people('Customer', ...Array(3).fill('Employee'));
    const pkg = await stage().created(sender, { handover: 'code' });
    const { _id: id } = pkg;
    const right = pkg.dropoffCode ?? '';
    const all: unknown[] = [];
    for (const courier of couriers) {
      await stage().accept(courier, pkg);
      const wrong = { id, wrong: wrongCode(right) };
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => guesses(courier, wrong, 1)),
      );
      all.push(...answers.flat());
      await stage().reject(courier, pkg);
    }
    expect(all.sort()).toEqual([
      ...[0, 0, 1, 1, 2, 2, 3, 3, 4, 4],
      ...Array(20).fill('code_locked'),
    ]);
    const [courier = sender] = couriers;
    await stage().accept(courier, pkg);
    expect((await read(courier, id)).codeLocked).toBe(true);
    expect(await codeOf(deliver(courier, id, { code: right }))).toBe('code_locked');
    // The sender replaces the recipient's link, and with it the code.
    const code = (await newLink(sender, id)).body.dropoffCode ?? '';
    expect((await deliver(courier, id, { code })).body.verifiedBy).toBe('code');
  });

  it('end with a new code, which an admin gives by choosing the handover again', async () => {
    const delivery = await carried();
    const { courier, sender, id } = delivery;
    await guesses(courier, delivery);
    await chooseAgain(id);
    const { dropoffCode, codeLocked } = await read(sender, id);
    expect(codeLocked).toBe(false);
    expect((await deliver(courier, id, { code: dropoffCode ?? '' })).status).toBe(201);
  });
});

describe('a code that was replaced', () => {
  type Replacing = (delivery: Delivery) => Promise<unknown>;
  const bySender: Replacing = ({ sender, id }) => newLink(sender, id);
  const byDispatcher: Replacing = async ({ id }) => newLink(await stage().admin(), id);
  const handoverAgain: Replacing = ({ id }) => chooseAgain(id);
  const byCode = ({ code }: Delivery) => ({ code });
  const byScan = ({ token }: Delivery) => ({ qr: token });
  const replacedBy = async (delivery: Delivery, replace: Replacing) => {
    stage().pass(4 * minute);
    await replace(delivery);
    stage().pass(2 * minute);
  };
  const ago = (ms: number) => ({
    occurredAt: new Date(stage().now().getTime() - ms).toISOString(),
  });

  it.each([
    ['by its sender', bySender, byCode, 'code'],
    ['by its sender', bySender, byScan, 'qr'],
    ['by a dispatcher', byDispatcher, byCode, 'code'],
    ['with the handover', handoverAgain, byCode, 'code'],
    ['with the handover', handoverAgain, byScan, 'qr'],
  ] as const)('(%s) proves what happened before that, and nothing after', async (_, replace, proofOf, verifiedBy) => {
    const delivery = await carried();
    const { courier, id } = delivery;
    await replacedBy(delivery, replace);
    const proof = proofOf(delivery);
    const left = verifiedBy === 'code' ? 4 : 5;
    const late = await record(courier, id, 'delivered', { proof, ...ago(minute) });
    expect([late.body.code, late.body.triesLeft]).toEqual(['wrong_code', left]);
    const { status, body } = await record(courier, id, 'delivered', { proof, ...ago(3 * minute) });
    expect([status, body.verifiedBy]).toEqual([201, verifiedBy]);
  });

  it('is right for the time when the recipient had it, of several in turn', async () => {
    const delivery = await carried();
    const { sender, courier, id, code } = delivery;
    await replacedBy(delivery, bySender);
    const { dropoffCode: second } = await read(sender, id);
    await replacedBy(delivery, bySender);
    // Eight minutes ago the first was replaced, two minutes ago the second.
    const at = (given: string | null, minutes: number) =>
      record(courier, id, 'delivered', { proof: { code: given ?? '' }, ...ago(minutes * minute) });
    for (const [given, minutes] of [
      [code, 4],
      [second, 9],
      [delivery.wrong, 9],
    ] as const) {
      expect(await codeOf(at(given, minutes))).toBe('wrong_code');
    }
    expect((await at(second, 4)).body.verifiedBy).toBe('code');
  });

  it('proves nothing by a clock that cannot be trusted, nor before the courier’s last step', async () => {
    const delivery = await carried();
    const { courier, id, code } = delivery;
    await replacedBy(delivery, bySender);
    await record(courier, id, 'arrived');
    // That was after the replacement.
    const early = { proof: { code }, ...ago(3 * minute) };
    expect(await codeOf(record(courier, id, 'delivered', early))).toBe('wrong_code');
    const away = await carried();
    await replacedBy(away, bySender);
    stage().pass(7 * 60 * minute);
    const old = { proof: { code: away.code }, ...ago(7 * 60 * minute + 3 * minute) };
    const again = await stage().again(away.courier);
    expect(await codeOf(record(again, away.id, 'delivered', old))).toBe('wrong_code');
  });

  it('is kept as long as a phone’s time is trusted, and shown to nobody', async () => {
    const delivery = await carried();
    const { sender, id, code } = delivery;
    const kept = async () => {
      const [row] = await stage().db.select().from(packages).where(eq(packages.id, id));
      return row?.formerCodes.map(({ dropoffCode }) => dropoffCode);
    };
    await replacedBy(delivery, bySender);
    expect(await kept()).toEqual([code]);
    stage().pass(7 * 60 * minute);
    const later = await stage().again(sender);
    const { dropoffCode: second } = await read(later, id);
    const { text } = await newLink(later, id);
    expect(await kept()).toEqual([second]);
    for (const secret of [code, second, delivery.token]) expect(text).not.toContain(`"${secret}"`);
  });
});

describe('codes and token', () => {
  it('are in nothing that a courier can read, no log, no notification, no stored answer', async () => {
    const at = await listenOn(stage().app);
    const [sender, courier] = await stage().people('Customer', 'Employee');
    const stream = await listenAs(courier, at, '?rows=1');
    const body = packageBody({ handover: 'code' });
    const headers = { 'idempotency-key': randomUUID() };
    const path = '/api/packages';
    const { body: pkg } = await stage().send<WirePackage>(sender, 'POST', path, { body, headers });
    const again = await stage().send<WirePackage>(sender, 'POST', path, { body, headers });
    expect(again.body).toEqual({
      ...pkg,
      trackingPath: null,
      dropoffCode: null,
      returnCode: null,
      dropoffToken: null,
    });
    const id = pkg._id;
    const secrets = [pkg.dropoffCode, pkg.returnCode, pkg.dropoffToken].map(String);
    const texts: string[] = [];
    const accepted = await stage().accept(courier, pkg);
    const stale = { ...acceptance(courier), baseVersion: 0, handover: 'none' };
    texts.push(accepted.text, (await stage().patch(courier, pkg, stale)).text);
    texts.push((await record(courier, id, 'picked_up')).text);
    texts.push((await deliver(courier, id, { code: '000000' })).text);
    const readAll = async () => {
      for (const [, route] of Object.entries<Route>(routes)) {
        if (route.method !== 'GET' || route.proof !== 'bearer') continue;
        const url = pathOf(route.path, { id, proofId: randomUUID(), reference: randomUUID() });
        texts.push((await stage().send(courier, 'GET', url)).text);
        if (route.query) texts.push((await stage().send(courier, 'GET', `${url}?since=`)).text);
      }
    };
    await readAll();
    const details = { proof: { code: pkg.dropoffCode ?? '' }, note: 'At the door' };
    const answer = await record(courier, id, 'delivered', details);
    texts.push(answer.text);
    expect(answer.status).toBe(201);
    await readAll();
    texts.push(stream.text);
    const tables = ['package_events', 'idempotency_keys', 'push_news', 'rate_limits'];
    for (const table of tables) {
      const found = await stage().db.execute(
        sql`select to_jsonb(t) as row from ${sql.identifier(table)} t`,
      );
      texts.push(JSON.stringify((found as unknown as { rows: unknown[] }).rows));
    }
    texts.push(stage().logs.join(''));
    expect(texts.join('').length).toBeGreaterThan(10_000);
    expect(texts.filter((text) => text.includes(id)).length).toBeGreaterThan(10);
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(5);
      // A number of six digits may be part of a longer one, as of a time.
      const alone = new RegExp(`(?<![\\w.-])${secret}(?![\\w-])`);
      expect(texts.filter((text) => alone.test(text))).toEqual([]);
    }
  });

  it('are not in the stored answer to an edit either, nor in a conflict', async () => {
    const sender = await stage().person('Customer');
    const pkg = await stage().created(sender, { handover: 'code' });
    const edit = async (notes: string, baseVersion: number) => {
      const headers = { 'idempotency-key': randomUUID() };
      const body = { notes, baseVersion };
      return stage().send(sender, 'PATCH', `/api/packages/${pkg._id}`, { body, headers });
    };
    expect((await edit('One', 1)).text).toContain(String(pkg.dropoffCode));
    expect((await edit('Two', 1)).body.code).toBe('conflict');
    const kept = await stage()
      .db.select()
      .from(idempotencyKeys)
      .where(eq(idempotencyKeys.userId, sender.id));
    expect(kept).toHaveLength(2);
    for (const { body } of kept) expect(body).not.toContain(`"${pkg.dropoffCode}"`);
  });
});

describe('a correction', () => {
  const lastOf = async (who: Person, id: string) => (await eventsFor(who, id)).at(-1)?._id ?? '';
  const corrected = (who: Person, id: string, corrects: string, on = stage()) =>
    record(who, id, 'corrected', { corrects }, on);

  it('takes back the last step, one after the other, with all that it changed', async () => {
    const { sender, courier, id, code } = await carried();
    const shots: WirePackage[] = [];
    const all: [Step, Details][] = [
      ['arrived', {}],
      ['attempt_failed', { reason: 'closed' }],
      ['delivered', { proof: { code }, cashCollected: true }],
    ];
    const ids: string[] = [];
    for (const [type, details] of all) {
      shots.push(await read(courier, id));
      stage().pass(minute);
      const _id = randomUUID();
      ids.push(_id);
      await record(courier, id, type, { _id, ...details });
    }
    for (const corrects of [...ids].reverse()) {
      const { status, body } = await corrected(courier, id, corrects);
      const { version, updatedAt, ...before } = shots.pop() ?? body;
      expect([status, body]).toEqual([201, { ...body, ...before }]);
    }
    const events = await eventsFor(sender, id);
    for (const corrects of ids) {
      const correction = events.find((event) => event.corrects === corrects);
      expect(correction?.type).toBe('corrected');
      expect(events.find(({ _id }) => _id === corrects)?.correctedBy).toBe(correction?._id);
    }
  });

  it('takes back a delivery by PATCH', async () => {
    const { courier, id } = await carried({});
    await stage().patch(courier, id, { deliveryStatus: 'Delivered', paymentStatus: 'paid' });
    const step = (await eventsFor(courier, id)).find(({ type }) => type === 'delivered');
    const { body } = await corrected(courier, id, step?._id ?? '');
    const before = { deliveryStatus: 'In Transit', progress: 'picked_up', paymentStatus: 'unpaid' };
    expect(body).toMatchObject(before);
  });

  it('takes back what the sender confirmed of the delivery', async () => {
    const { sender, courier, id } = await carried({});
    const _id = randomUUID();
    await record(courier, id, 'delivered', { _id });
    expect((await record(sender, id, 'confirmed')).body.verifiedBy).toBe('sender');
    const { body } = await corrected(await stage().admin(), id, _id);
    expect(body).toMatchObject({ deliveryStatus: 'In Transit', verifiedBy: null });
  });

  it('is for who made the step, for ten minutes; an admin’s has no end', async () => {
    const { sender, courier, id } = await carried();
    const step = await lastOf(courier, id);
    const other = await stage().person('Employee');
    expect(await codeOf(corrected(sender, id, step))).toBe('forbidden');
    expect(await codeOf(corrected(other, id, step))).toBe('not_found');
    stage().pass(10 * minute + 1);
    expect(await codeOf(corrected(courier, id, step))).toBe('too_late');
    const admin = await stage().admin();
    expect((await corrected(admin, id, step)).body.progress).toBe('accepted');
    expect(await codeOf(corrected(admin, id, step))).toBe('invalid_state');
  });

  it('is refused for an earlier step, for none, for one of another package, and for what is no step', async () => {
    const { courier, sender, id } = await carried();
    const first = await lastOf(courier, id);
    await record(courier, id, 'arrived');
    const other = await carried();
    const foreign = await lastOf(other.courier, other.id);
    const [created] = await eventsFor(sender, id);
    for (const step of [first, randomUUID(), foreign, created?._id ?? '']) {
      expect(await codeOf(corrected(courier, id, step))).toBe('invalid_state');
    }
    expect(await codeOf(record(courier, id, 'corrected'))).toBe('invalid_fields');
    const odd = record(courier, id, 'arrived', { corrects: await lastOf(courier, id) });
    expect(await codeOf(odd)).toBe('invalid_fields');
  });

  it('happens once, of two at the same time', async () => {
    const { courier, id } = await carried();
    const step = await lastOf(courier, id);
    const servers = [stage(), await stage().another()];
    const answers = await Promise.all(servers.map((on) => corrected(courier, id, step, on)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it('needs what was kept of the step', async () => {
    const { courier, id } = await carried({});
    const step = randomUUID();
    const at = stage().now();
    const moments = { occurredAt: at, receivedAt: at, effectiveAt: at };
    const row = { id: step, packageId: id, type: 'arrived' as const, actorId: courier.id };
    await stage()
      .db.insert(packageEvents)
      .values({ ...row, ...moments });
    expect(await codeOf(corrected(courier, id, step))).toBe('invalid_state');
  });
});

describe('an event', () => {
  /** The rule: tests/unit/event-timing.test.ts. */
  it.each([
    ['1968-12-31T23:59:59Z', 'invalid_fields'],
    // An empty battery sets a clock back to this in Nigeria.
    ['1969-12-31T23:00:00Z', undefined],
    ['2090-01-01T00:00:00Z', undefined],
    ['2200-01-01T00:00:00Z', 'invalid_fields'],
  ])('said to be of %s: %s, and never outside the package’s life', async (occurredAt, code) => {
    const { courier, id } = await carried();
    const before = (await eventsFor(courier, id)).at(-1)?.effectiveAt ?? '';
    stage().pass(minute);
    expect(await codeOf(record(courier, id, 'arrived', { occurredAt }))).toBe(code);
    if (code) return;
    const { timeTrust, effectiveAt = '' } = (await eventsFor(courier, id)).at(-1) ?? {};
    expect(timeTrust).toBe('low');
    expect(before <= effectiveAt && effectiveAt <= stage().now().toISOString()).toBe(true);
  });

  it('takes no unknown, oversized or misplaced proof', async () => {
    const { courier, id } = await carried();
    const tooMany = Array.from({ length: 5 }, () => randomUUID());
    const proofs: Details['proof'][] = [
      ...[{ code: '12345' }, { code: 'abcdef' }, { qr: 'short' }, { photoIds: ['1'] }],
      ...[{ photoIds: tooMany }, { relation: 'cat' as never }, { recipientName: 'x'.repeat(81) }],
      { bytes: 'x' } as never,
    ];
    for (const proof of proofs) {
      const code = await codeOf(record(courier, id, 'delivered', { proof }));
      expect([proof, code]).toEqual([proof, 'invalid_fields']);
    }
    const cash = { cashCollected: true } as const;
    expect(await codeOf(record(courier, id, 'arrived', cash))).toBe('invalid_fields');
    // Money of the app is not cash.
    const app = await carried({ paymentMethod: 'app' });
    expect(await codeOf(record(app.courier, app.id, 'delivered', cash))).toBe('invalid_state');
  });

  it.each([
    'picked_up',
    'arrived',
    'return_started',
    'confirmed',
    'corrected',
    'handover',
  ] as const)('%s has no proof, for it proves nothing', async (type) => {
    const { courier, id } = await carried();
    const more = {
      ...(type === 'corrected' && { corrects: randomUUID() }),
      ...(type === 'handover' && { courierId: courier.id }),
    };
    const { body } = await record(courier, id, type, { ...more, proof: photo() });
    expect([body.code, Object.keys(body.fields)]).toEqual(['invalid_fields', ['proof']]);
  });
});

describe('a picture', () => {
  const get = async (who: Person | null, id: string, proofId: string, etag?: unknown) =>
    stage().app.inject({
      method: 'GET',
      url: `/api/packages/${id}/proofs/${proofId}`,
      headers: {
        ...(who ? { authorization: `Bearer ${who.token}` } : {}),
        ...(etag === undefined ? {} : { 'if-none-match': String(etag) }),
      },
    });
  const statusFor = async (who: Person | null, id: string, proofId: string) =>
    (await get(who, id, proofId)).statusCode;

  let delivery: Delivery;
  beforeAll(async () => {
    delivery = await carried();
  });

  it('is not sent again to who may see it; a browser that has it asks for each user', async () => {
    const { courier, sender, id } = delivery;
    const proofId = randomUUID();
    await put(courier, id, proofId, pictures.jpeg);
    const { etag } = (await get(sender, id, proofId)).headers;
    const again = await get(sender, id, proofId, etag);
    expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0]);
    expect(again.headers['cache-control']).toBe('private, no-cache');
    const stranger = await stage().person('Customer');
    expect((await get(stranger, id, proofId, etag)).statusCode).toBe(404);
    expect((await get(null, id, proofId, etag)).statusCode).toBe(401);
  });

  it('is stored without metadata, once, and seen by sender, courier and admins only', async () => {
    const { courier, sender, id } = delivery;
    const proofId = randomUUID();
    const bytes = pictures.jpegWithMetadata;
    const first = await put(courier, id, proofId, bytes);
    expect([first.status, first.body._id]).toEqual([200, proofId]);
    expect((await put(courier, id, proofId, bytes)).status).toBe(200);
    expect(await codeOf(put(courier, id, proofId, pictures.png))).toBe('id_taken');
    const readers = { sender, courier, admin: await stage().admin() };
    for (const [who, reader] of Object.entries(readers)) {
      const answer = await get(reader, id, proofId);
      expect([who, answer.statusCode]).toEqual([who, 200]);
      expect(answer.rawPayload).toEqual(pictures.jpeg);
      expect(answer.headers).toMatchObject({
        'content-type': 'image/jpeg',
        'x-content-type-options': 'nosniff',
        'cache-control': 'private, no-cache',
        vary: 'authorization',
        'content-security-policy': expect.stringContaining('sandbox'),
      });
    }
    for (const stranger of await stage().people('Customer', 'Employee')) {
      expect(await statusFor(stranger, id, proofId)).toBe(404);
    }
    expect(await statusFor(null, id, proofId)).toBe(401);
    // Under another package it does not exist, and is another picture.
    const other = await carried();
    expect(await statusFor(other.courier, other.id, proofId)).toBe(404);
    expect((await put(other.courier, other.id, proofId, pictures.png)).status).toBe(200);
    expect((await get(courier, id, proofId)).rawPayload).toEqual(pictures.jpeg);
    expect((await get(other.sender, other.id, proofId)).rawPayload).toEqual(pictures.png);
  });

  it('is taken of its courier alone', async () => {
    const { sender, id } = delivery;
    const [admin, stranger] = [await stage().admin(), await stage().person('Employee')];
    for (const [who, packageId, proofId, code] of [
      [null, id, randomUUID(), 'unauthenticated'],
      [sender, id, randomUUID(), 'forbidden'],
      [admin, id, randomUUID(), 'forbidden'],
      [stranger, id, randomUUID(), 'not_found'],
      [stranger, randomUUID(), randomUUID(), 'not_found'],
      [sender, id, 'photo', 'not_found'],
    ] as const) {
      expect(await codeOf(put(who, packageId, proofId, pictures.jpeg))).toBe(code);
    }
  });

  it('may come after the delivery, and after another has the package', async () => {
    const { courier, id } = await carried();
    const other = await stage().person('Employee');
    const shown = photo();
    await record(courier, id, 'attempt_failed', { reason: 'closed', proof: shown });
    await record(await stage().admin(), id, 'handover', { courierId: other.id });
    const [named = ''] = shown.photoIds;
    expect((await put(courier, id, named)).status).toBe(200);
    expect([await statusFor(courier, id, named), await statusFor(other, id, named)]).toEqual([
      ...[200, 200],
    ]);
    expect(await codeOf(put(courier, id, randomUUID()))).toBe('not_found');
    const signatureId = randomUUID();
    await deliver(other, id, { ...photo(), signatureId });
    expect((await put(other, id, signatureId)).status).toBe(200);
  });

  it('is what its bytes say, whatever its name', async () => {
    const { courier, id } = delivery;
    const proofId = randomUUID();
    await put(courier, id, proofId, pictures.webp, { 'content-type': 'image/png' });
    expect((await get(courier, id, proofId)).headers['content-type']).toBe('image/webp');
  });

  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
  const huge = Buffer.concat([pictures.jpeg, Buffer.alloc(maxPictureBytes)]);
  const otherDigest = pictureHeaders(Buffer.from('other bytes'))['content-digest'];
  const sent = (bytes: Buffer, headers: Record<string, string> = {}) =>
    put(delivery.courier, delivery.id, randomUUID(), bytes, headers);

  it.each<[string, Buffer, Record<string, string>, string]>([
    ['SVG', svg, {}, 'bad_picture'],
    ['HTML', Buffer.from('<!doctype html><p>Hello there'), {}, 'bad_picture'],
    ['nothing', Buffer.alloc(0), {}, 'bad_picture'],
    ...['image/svg+xml', 'text/html', 'application/json', 'image/gif'].map(
      (type): [string, Buffer, Record<string, string>, string] => [
        ...([type, svg, { 'content-type': type }, 'unsupported_media'] as const),
      ],
    ),
    ['too large', huge, {}, 'picture_too_large'],
    ['damaged on its way', pictures.jpeg, { 'content-digest': otherDigest }, 'picture_damaged'],
    ['without a digest', pictures.jpeg, { 'content-digest': '' }, 'invalid_fields'],
  ])('is refused, and not kept: %s', async (_, bytes, headers, code) => {
    const isTheirs = eq(proofs.packageId, delivery.id);
    const before = await stage().db.$count(proofs, isTheirs);
    expect(await codeOf(sent(bytes, headers))).toBe(code);
    expect(await stage().db.$count(proofs, isTheirs)).toBe(before);
  });

  it('is refused with the bounds and kinds that there are', async () => {
    const said = async (bytes: Buffer, type = 'image/png') =>
      (await sent(bytes, { 'content-type': type })).body.message;
    expect(await said(svg)).toMatch(/JPEG, PNG or WebP.* 4,096 pixels/);
    expect(await said(huge)).toContain('400 kB');
    expect([maxPictureSide, maxPictureBytes]).toEqual([4096, 400_000]);
    for (const type of pictureTypes) expect(await said(svg, 'image/heic')).toContain(type);
    const damaged = await sent(pictures.jpeg, { 'content-digest': otherDigest });
    expect(damaged.body.message).toBe('The picture was damaged on its way. Send it again.');
  });

  it('is stored by who recorded the event that names it, through no other package and by nobody else', async () => {
    const { sender, courier, id } = await carried();
    const proof = { ...photo(), signatureId: randomUUID() };
    await deliver(courier, id, proof);
    // The sender reads the pictures' ids and names them in another package that they carry.
    const { _id: theirs } = await stage().created(sender, {});
    await stage().accept(courier, theirs);
    await steps(theirs, [courier, 'picked_up'], [sender, 'return_started']);
    for (const named of [...proof.photoIds, proof.signatureId]) {
      await record(sender, theirs, 'returned', { proof: { photoIds: [named] } });
      await put(sender, theirs, named);
      expect(await codeOf(put(sender, id, named))).toBe('forbidden');
      expect((await put(courier, id, named, pictures.jpeg)).status).toBe(200);
      expect((await get(sender, id, named)).rawPayload).toEqual(pictures.jpeg);
    }
    // The next courier cannot upload a picture that the previous one named.
    const handed = await carried();
    const [named, next] = [randomUUID(), await stage().person('Employee')];
    const failed: Details = { reason: 'closed', proof: { photoIds: [named] } };
    await record(handed.courier, handed.id, 'attempt_failed', failed);
    await record(await stage().admin(), handed.id, 'handover', { courierId: next.id });
    expect(await codeOf(put(next, handed.id, named))).toBe('forbidden');
    expect((await put(handed.courier, handed.id, named)).status).toBe(200);
  });

  it('says something of one step: named again it is refused, unless its author took that one back', async () => {
    const { sender, courier, id } = await carried();
    const shown = photo();
    const [named = ''] = shown.photoIds;
    const attempt = { _id: randomUUID(), reason: 'closed', proof: shown } as const;
    await record(courier, id, 'attempt_failed', attempt);
    await put(courier, id, named);
    const bySender = () => deliver(sender, id, { photoIds: [named] });
    const signed = { ...photo(), signatureId: named };
    for (const again of [deliver(courier, id, shown), deliver(courier, id, signed), bySender()]) {
      expect(await codeOf(again)).toBe('id_taken');
    }
    await record(courier, id, 'corrected', { corrects: attempt._id });
    expect(await codeOf(bySender())).toBe('id_taken');
    const own = await deliver(courier, id, shown);
    expect([own.status, own.body.verifiedBy]).toEqual([201, 'photo']);
  });
});
