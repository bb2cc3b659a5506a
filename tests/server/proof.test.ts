/** Codes, photos, corrections and confirmations: what counts as delivered, and who learns what. */
import { createHash, randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/error-body.ts';
import type { RecordEventBody, WireEvent } from '#contract/event.ts';
import type { WirePackage } from '#contract/package.ts';
import { contentDigest, maxPictureBytes, maxPictureSide, pictureTypes } from '#contract/proof.ts';
import { pathOf, type Route, routes } from '#contract/routes.ts';
import { isCode, withCheckDigit } from '#domain/codes.ts';
import { startRetention } from '#server/database/retention.ts';
import { idempotencyKeys, packageEvents, packages, proofs } from '#server/database/schema.ts';
import { openPictureStore } from '#server/modules/proofs/open-store.ts';
import * as pictures from '#tests/builders/pictures.ts';
import { testDatabase } from './databases.ts';
import { closeSseClients, listenAs, listenOn } from './sse-client.ts';
import {
  acceptance,
  createdPackage,
  fileStage,
  type Person,
  packageBody,
  patchPackage,
  rejection,
  type Stage,
} from './stage.ts';

const stage = fileStage({ LOG_LEVEL: 'trace' });
closeSseClients();

const minute = 60_000;
type Details = Partial<RecordEventBody>;

const record = (
  who: Person,
  id: string,
  type: RecordEventBody['type'],
  details: Details = {},
  at: Stage = stage(),
) =>
  at.send<WirePackage & ErrorBody>(who, 'POST', `/api/packages/${id}/events`, {
    body: { _id: randomUUID(), type, occurredAt: at.now().toISOString(), ...details },
  });

const read = async (who: Person, id: string) =>
  (await stage().send<WirePackage>(who, 'GET', `/api/packages/${id}`)).body;
const eventsFor = async (who: Person, id: string) =>
  (await stage().send<WireEvent[]>(who, 'GET', `/api/packages/${id}/events`)).body;

const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('base64');
const put = async (
  who: Person | null,
  id: string,
  proofId: string,
  bytes: Buffer,
  headers: Record<string, string> = {},
) => {
  const response = await stage().app.inject({
    method: 'PUT',
    url: `/api/packages/${id}/proofs/${proofId}`,
    payload: bytes,
    headers: {
      ...(who ? { authorization: `Bearer ${who.token}` } : {}),
      'content-type': 'image/jpeg',
      'content-digest': contentDigest(digestOf(bytes)),
      ...headers,
    },
  });
  const body = response.json<ErrorBody & { _id?: string }>();
  return { status: response.statusCode, body };
};

interface Delivery {
  sender: Person;
  courier: Person;
  id: string;
  code: string;
  wrong: string;
  token: string;
  returnCode: string;
}

async function carried(changes: Record<string, unknown> = { handover: 'code' }) {
  const sender = await stage().person('Customer');
  const courier = await stage().person('Employee');
  const pkg = await createdPackage(stage(), sender, changes);
  await patchPackage(stage(), courier, pkg, acceptance(courier));
  await record(courier, pkg._id, 'picked_up');
  const code = pkg.dropoffCode ?? '';
  const found: Delivery = {
    sender,
    courier,
    id: pkg._id,
    code,
    token: pkg.dropoffToken ?? '',
    returnCode: pkg.returnCode ?? '',
    wrong: withCheckDigit(String((Number(code.slice(0, 5)) + 1) % 100_000).padStart(5, '0')),
  };
  return found;
}

const photo = () => ({
  photoIds: [randomUUID()],
  recipientName: 'Musa',
  relation: 'neighbour' as const,
});

const outcome = ({ status, body }: { status: number; body: ErrorBody }) => [status, body.code];

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
    expect(await createdPackage(stage(), sender)).toMatchObject(none);
    expect((await createdPackage(elsewhere, sender)).handover).toBe('code');
    const pkg = await createdPackage(elsewhere, sender, { handover: 'none' });
    expect(pkg).toMatchObject(none);
    const changed = await patchPackage(stage(), sender, pkg, { handover: 'code' });
    expect(isCode(changed.body.dropoffCode ?? '')).toBe(true);
    const back = await patchPackage(stage(), sender, pkg, { handover: 'none' });
    expect(back.body).toMatchObject(none);
  });

  it('counts as delivered with the code, the scan, or a photo and a name, and says by which', async () => {
    const shown = photo();
    const ways = [
      [({ code }: Delivery) => ({ code }), 'code'],
      [({ token }: Delivery) => ({ qr: token }), 'qr'],
      [() => shown, 'photo'],
    ] as const;
    for (const [proofOf, verifiedBy] of ways) {
      const delivery = await carried();
      const { sender, courier, id } = delivery;
      // A picture proves nothing before it is there.
      if (verifiedBy === 'photo') await put(courier, id, shown.photoIds[0] ?? '', pictures.jpeg);
      const { status, body } = await record(courier, id, 'delivered', {
        proof: proofOf(delivery),
      });
      expect([status, body.verifiedBy]).toEqual([201, verifiedBy]);
      const event = (await eventsFor(sender, id)).at(-1);
      expect(event).toMatchObject({ type: 'delivered', proof: { verifiedBy } });
      if (verifiedBy === 'photo') expect(event?.proof).toMatchObject(shown);
    }
  });

  it('needs a proof of its courier, by a PATCH too, and none of its sender and of admins', async () => {
    const { sender, courier, id } = await carried();
    const { recipientName: _, ...unnamed } = photo();
    for (const proof of [undefined, {}, unnamed, { recipientName: 'Musa' }]) {
      const details = proof ? { proof } : {};
      const answer = await record(courier, id, 'delivered', details);
      expect(outcome(answer)).toEqual([422, 'proof_required']);
    }
    const patched = await stage().send<ErrorBody>(courier, 'PATCH', `/api/packages/${id}`, {
      body: { deliveryStatus: 'Delivered' },
    });
    expect(outcome(patched)).toEqual([422, 'proof_required']);
    expect((await record(sender, id, 'delivered')).body.verifiedBy).toBe('sender');
    const other = await carried();
    const admin = await stage().admin();
    const path = `/api/packages/${other.id}`;
    const body = { deliveryStatus: 'Delivered' };
    const { body: byAdmin } = await stage().send<WirePackage>(admin, 'PATCH', path, { body });
    expect(byAdmin.verifiedBy).toBe('admin');
  });

  it('needs none where its sender wanted none, and may carry one', async () => {
    const plain = await carried({});
    const { body } = await record(plain.courier, plain.id, 'delivered');
    expect([body.deliveryStatus, body.verifiedBy]).toEqual(['Delivered', null]);
    const shown = await carried({});
    const proof = photo();
    await put(shown.courier, shown.id, proof.photoIds[0] ?? '', pictures.jpeg);
    expect((await record(shown.courier, shown.id, 'delivered', { proof })).body.verifiedBy).toBe(
      'photo',
    );
  });

  it('records the cash collected with the delivery', async () => {
    const { sender, courier, id, code } = await carried();
    const { body } = await record(courier, id, 'delivered', {
      proof: { code },
      cashCollected: true,
    });
    expect(body.paymentStatus).toBe('paid');
    expect((await eventsFor(sender, id)).map(({ type }) => type).slice(-2)).toEqual([
      ...['delivered', 'paid'],
    ]);
  });
});

describe('wrong codes', () => {
  it('are counted although refused, repeated or not, and the fifth locks the code', async () => {
    const { sender, courier, id, code, wrong } = await carried();
    const body = {
      _id: randomUUID(),
      type: 'delivered',
      proof: { code: wrong },
      occurredAt: stage().now().toISOString(),
    };
    const headers = { 'idempotency-key': randomUUID() };
    const path = `/api/packages/${id}/events`;
    const send = () => stage().send<ErrorBody>(courier, 'POST', path, { body, headers });
    for (const repeat of [1, 2, 3]) {
      const { status, body: said } = await send();
      expect([repeat, status, said.code, said.triesLeft]).toEqual([repeat, 422, 'wrong_code', 4]);
    }
    for (const left of [3, 2, 1]) {
      const { body: said } = await record(courier, id, 'delivered', { proof: { code: wrong } });
      expect([said.code, said.triesLeft]).toEqual(['wrong_code', left]);
    }
    const { version, codeLocked } = await read(courier, id);
    expect(codeLocked).toBe(false);
    const last = await record(courier, id, 'delivered', { proof: { code: wrong } });
    expect([last.body.code, last.body.triesLeft]).toEqual(['wrong_code', 0]);
    // The phones hear of it.
    expect(await read(courier, id)).toMatchObject({ codeLocked: true, version: version + 1 });
    const right = await record(courier, id, 'delivered', { proof: { code } });
    expect(outcome(right)).toEqual([409, 'code_locked']);
    const { status } = await record(courier, id, 'delivered', { proof: photo() });
    expect(status).toBe(201);
    // Refusals are no events.
    expect((await eventsFor(sender, id)).filter(({ type }) => type === 'delivered')).toHaveLength(
      1,
    );
  });

  it('count for the courier who made them: the next one has all tries', async () => {
    const guess = async ({ id, wrong }: Delivery, who: Person) => {
      const { body } = await record(who, id, 'delivered', { proof: { code: wrong } });
      return body.triesLeft;
    };
    const delivery = await carried();
    const { courier, id, code } = delivery;
    for (const left of [4, 3, 2, 1, 0]) expect(await guess(delivery, courier)).toBe(left);
    const [second, admin] = [await stage().person('Employee'), await stage().admin()];
    await record(admin, id, 'handover', { courierId: second.id });
    expect((await read(second, id)).codeLocked).toBe(false);
    expect(await guess(delivery, second)).toBe(4);
    expect((await record(second, id, 'delivered', { proof: { code } })).body.verifiedBy).toBe(
      'code',
    );

    const sender = await stage().person('Customer');
    const pkg = await createdPackage(stage(), sender, { handover: 'code' });
    await patchPackage(stage(), courier, pkg, acceptance(courier));
    for (const wrong of ['000000', '111111', '222222', '333333', '444444']) {
      await record(courier, pkg._id, 'delivered', { proof: { code: wrong } });
    }
    await patchPackage(stage(), courier, pkg, rejection);
    await patchPackage(stage(), second, pkg, acceptance(second));
    const proof = { code: pkg.dropoffCode ?? '' };
    expect((await record(second, pkg._id, 'delivered', { proof })).body.verifiedBy).toBe('code');
  });

  it('lock apart for delivery and return; a scan is neither counted nor locked', async () => {
    const { courier, id, wrong, token, returnCode } = await carried();
    for (let n = 0; n < 6; n += 1) {
      const scan = await record(courier, id, 'delivered', { proof: { qr: 'x'.repeat(22) } });
      expect([scan.body.code, scan.body.triesLeft]).toEqual(['wrong_code', 5]);
    }
    for (let n = 0; n < 5; n += 1) {
      await record(courier, id, 'delivered', { proof: { code: wrong } });
    }
    await record(courier, id, 'attempt_failed', { reason: 'no_code' });
    await record(courier, id, 'return_started');
    expect((await read(courier, id)).codeLocked).toBe(false);
    const bare = await record(courier, id, 'returned');
    expect(outcome(bare)).toEqual([422, 'proof_required']);
    const badly = await record(courier, id, 'returned', { proof: { code: wrong } });
    expect([badly.body.code, badly.body.triesLeft]).toEqual(['wrong_code', 4]);
    const { body } = await record(courier, id, 'returned', { proof: { code: returnCode } });
    expect(body).toMatchObject({ deliveryStatus: 'Cancelled', outcome: 'returned' });

    const locked = await carried();
    for (let n = 0; n < 5; n += 1) {
      await record(locked.courier, locked.id, 'delivered', { proof: { code: locked.wrong } });
    }
    const scan = await record(locked.courier, locked.id, 'delivered', {
      proof: { qr: locked.token },
    });
    expect(scan.body.verifiedBy).toBe('qr');
    expect(token).not.toBe(locked.token);
  });

  it(`are five at most of many at the same time, on two servers, on ${testDatabase}`, async () => {
    const { courier, id, wrong, code } = await carried();
    const second = await stage().another();
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, n) =>
        record(courier, id, 'delivered', { proof: { code: wrong } }, n % 2 ? second : stage()),
      ),
    );
    const codes = answers.map(({ body }) => body.code).sort();
    expect(codes).toEqual([
      ...Array.from({ length: 11 }, () => 'code_locked'),
      ...Array.from({ length: 5 }, () => 'wrong_code'),
    ]);
    const left = answers.flatMap(({ body }) => body.triesLeft ?? []);
    expect(left.sort()).toEqual([0, 1, 2, 3, 4]);
    expect((await record(courier, id, 'delivered', { proof: { code } })).status).toBe(409);
  });

  it('are ten of a package, whoever gives them, at the same time too', async () => {
    const couriers = await Promise.all([1, 2, 3].map(() => stage().person('Employee')));
    const sender = await stage().person('Customer');
    const pkg = await createdPackage(stage(), sender, { handover: 'code' });
    const right = pkg.dropoffCode ?? '';
    const wrong = withCheckDigit(
      String((Number(right.slice(0, 5)) + 1) % 100_000).padStart(5, '0'),
    );
    const codes: (string | undefined)[] = [];
    const left: number[] = [];
    for (const courier of couriers) {
      await patchPackage(stage(), courier, pkg, acceptance(courier));
      const answers = await Promise.all(
        Array.from({ length: 10 }, () =>
          record(courier, pkg._id, 'delivered', { proof: { code: wrong } }),
        ),
      );
      codes.push(...answers.map(({ body }) => body.code));
      left.push(...answers.flatMap(({ body }) => body.triesLeft ?? []));
      await patchPackage(stage(), courier, pkg, rejection);
    }
    expect(codes.filter((code) => code === 'wrong_code')).toHaveLength(10);
    expect(codes.filter((code) => code === 'code_locked')).toHaveLength(20);
    expect(left.sort()).toEqual([0, 0, 1, 1, 2, 2, 3, 3, 4, 4]);
    const [courier] = couriers;
    if (!courier) return;
    await patchPackage(stage(), courier, pkg, acceptance(courier));
    expect((await read(courier, pkg._id)).codeLocked).toBe(true);
    const proof = { code: right };
    expect(outcome(await record(courier, pkg._id, 'delivered', { proof }))).toEqual([
      409,
      'code_locked',
    ]);
    // Its sender gives the recipient another link, and with it another code.
    const path = `/api/packages/${pkg._id}/tracking`;
    const { body } = await stage().send<WirePackage>(sender, 'POST', path);
    const given = await record(courier, pkg._id, 'delivered', {
      proof: { code: body.dropoffCode ?? '' },
    });
    expect(given.body.verifiedBy).toBe('code');
  });

  it('end with a new code, which an admin gives by choosing the handover again', async () => {
    const { courier, id, wrong, code } = await carried();
    for (let n = 0; n < 5; n += 1) {
      await record(courier, id, 'delivered', { proof: { code: wrong } });
    }
    const admin = await stage().admin();
    for (const handover of ['none', 'code']) {
      await stage().send(admin, 'PATCH', `/api/packages/${id}`, { body: { handover } });
    }
    const { dropoffCode, codeLocked } = await read(admin, id);
    expect(codeLocked).toBe(false);
    if (dropoffCode === code) return;
    const { status } = await record(courier, id, 'delivered', {
      proof: { code: dropoffCode ?? '' },
    });
    expect(status).toBe(201);
  });
});

describe('a code that was replaced', () => {
  type Replacing = (delivery: Delivery) => Promise<unknown>;
  const newLink = (who: Person, id: string) =>
    stage().send<WirePackage>(who, 'POST', `/api/packages/${id}/tracking`);
  const bySender: Replacing = ({ sender, id }) => newLink(sender, id);
  const byDispatcher: Replacing = async ({ id }) => newLink(await stage().admin(), id);
  const handoverAgain: Replacing = async ({ id }) => {
    const admin = await stage().admin();
    for (const handover of ['none', 'code']) {
      await stage().send(admin, 'PATCH', `/api/packages/${id}`, { body: { handover } });
    }
  };
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
    expect([...outcome(late), late.body.triesLeft]).toEqual([422, 'wrong_code', left]);
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
    expect(outcome(await at(code, 4))).toEqual([422, 'wrong_code']);
    expect(outcome(await at(second, 9))).toEqual([422, 'wrong_code']);
    expect(outcome(await at(delivery.wrong, 9))).toEqual([422, 'wrong_code']);
    expect((await at(second, 4)).body.verifiedBy).toBe('code');
  });

  it('proves nothing by a clock that cannot be trusted, nor before the courier’s last step', async () => {
    const delivery = await carried();
    const { courier, id, code } = delivery;
    const proof = { code };
    await replacedBy(delivery, bySender);
    await record(courier, id, 'arrived');
    // That was after the replacement.
    const early = await record(courier, id, 'delivered', { proof, ...ago(3 * minute) });
    expect(outcome(early)).toEqual([422, 'wrong_code']);
    const away = await carried();
    await replacedBy(away, bySender);
    stage().pass(7 * 60 * minute);
    const again = await stage().again(away.courier);
    const old = await record(again, away.id, 'delivered', {
      proof: { code: away.code },
      ...ago(7 * 60 * minute + 3 * minute),
    });
    expect(outcome(old)).toEqual([422, 'wrong_code']);
  });

  it('is kept as long as a phone’s time is trusted, and shown to nobody', async () => {
    const delivery = await carried();
    const { sender, id, code } = delivery;
    const kept = async () => {
      const { db } = stage().database;
      const [row] = await db.select().from(packages).where(eq(packages.id, id));
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
    const sender = await stage().person('Customer');
    const courier = await stage().person('Employee');
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
    const accepted = await patchPackage(stage(), courier, pkg, acceptance(courier));
    const stale = { body: { ...acceptance(courier), baseVersion: 0, handover: 'none' } };
    const refused = await stage().send(courier, 'PATCH', `${path}/${id}`, stale);
    texts.push(accepted.text, refused.text);
    texts.push((await record(courier, id, 'picked_up')).text);
    texts.push((await record(courier, id, 'delivered', { proof: { code: '000000' } })).text);
    const readAll = async () => {
      for (const [, route] of Object.entries<Route>(routes)) {
        if (route.method !== 'GET' || route.proof !== 'bearer') continue;
        const url = pathOf(route.path, { id, proofId: randomUUID(), reference: randomUUID() });
        texts.push((await stage().send(courier, 'GET', url)).text);
        if (route.query) texts.push((await stage().send(courier, 'GET', `${url}?since=`)).text);
      }
    };
    await readAll();
    const answer = await record(courier, id, 'delivered', {
      proof: { code: pkg.dropoffCode ?? '' },
      note: 'At the door',
    });
    texts.push(answer.text);
    expect(answer.status).toBe(201);
    await readAll();
    await stream.until(() => stream.text.includes('"Delivered"'));
    texts.push(stream.text);
    const { db } = stage().database;
    const tables = ['package_events', 'idempotency_keys', 'push_news', 'rate_limits'];
    for (const table of tables) {
      const found = await db.execute(
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
    const pkg = await createdPackage(stage(), sender, { handover: 'code' });
    const edit = async (notes: string, baseVersion: number) => {
      const headers = { 'idempotency-key': randomUUID() };
      const body = { notes, baseVersion };
      return stage().send(sender, 'PATCH', `/api/packages/${pkg._id}`, { body, headers });
    };
    expect((await edit('One', 1)).text).toContain(String(pkg.dropoffCode));
    expect((await edit('Two', 1)).body.code).toBe('conflict');
    const { db } = stage().database;
    const kept = await db
      .select()
      .from(idempotencyKeys)
      .where(eq(idempotencyKeys.userId, sender.id));
    expect(kept).toHaveLength(2);
    for (const { body } of kept) expect(body).not.toContain(`"${pkg.dropoffCode}"`);
  });
});

describe('a correction', () => {
  const lastOf = async (who: Person, id: string) => (await eventsFor(who, id)).at(-1)?._id ?? '';

  it('takes back the last step, one after the other, with all that it changed', async () => {
    const { sender, courier, id, code } = await carried();
    const shots = [await read(sender, id)];
    const steps: [RecordEventBody['type'], Details][] = [
      ['arrived', {}],
      ['attempt_failed', { reason: 'closed' }],
      ['delivered', { proof: { code }, cashCollected: true }],
    ];
    const ids: string[] = [];
    for (const [type, details] of steps) {
      stage().pass(minute);
      const _id = randomUUID();
      ids.push(_id);
      await record(courier, id, type, { _id, ...details });
      shots.push(await read(sender, id));
    }
    shots.pop();
    const tracking = ({
      deliveryStatus,
      progress,
      attempts,
      lastAttempt,
      deliveredAt,
      verifiedBy,
      paymentStatus,
    }: WirePackage) => ({
      deliveryStatus,
      progress,
      attempts,
      lastAttempt,
      deliveredAt,
      verifiedBy,
      paymentStatus,
    });
    for (const corrects of [...ids].reverse()) {
      const { status, body } = await record(courier, id, 'corrected', { corrects });
      const before = shots.pop();
      expect([status, tracking(body)]).toEqual([201, before && tracking(before)]);
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
    await stage().send(courier, 'PATCH', `/api/packages/${id}`, {
      body: { deliveryStatus: 'Delivered', paymentStatus: 'paid' },
    });
    const delivered = (await eventsFor(courier, id)).find(({ type }) => type === 'delivered');
    const { body } = await record(courier, id, 'corrected', { corrects: delivered?._id ?? '' });
    expect(body).toMatchObject({
      deliveryStatus: 'In Transit',
      progress: 'picked_up',
      paymentStatus: 'unpaid',
    });
  });

  it('takes back what the sender confirmed of the delivery', async () => {
    const { sender, courier, id } = await carried({});
    const _id = randomUUID();
    await record(courier, id, 'delivered', { _id });
    expect((await record(sender, id, 'confirmed')).body.verifiedBy).toBe('sender');
    const admin = await stage().admin();
    const { body } = await record(admin, id, 'corrected', { corrects: _id });
    expect(body).toMatchObject({ deliveryStatus: 'In Transit', verifiedBy: null });
  });

  it('is for who made the step, for ten minutes; an admin’s has no end', async () => {
    const { sender, courier, id } = await carried();
    const corrects = await lastOf(courier, id);
    const other = await stage().person('Employee');
    expect(outcome(await record(sender, id, 'corrected', { corrects }))).toEqual([
      403,
      'forbidden',
    ]);
    expect(outcome(await record(other, id, 'corrected', { corrects }))).toEqual([404, 'not_found']);
    stage().pass(10 * minute + 1);
    expect(outcome(await record(courier, id, 'corrected', { corrects }))).toEqual([
      409,
      'too_late',
    ]);
    const admin = await stage().admin();
    expect((await record(admin, id, 'corrected', { corrects })).body.progress).toBe('accepted');
    const twice = await record(admin, id, 'corrected', { corrects });
    expect(outcome(twice)).toEqual([409, 'invalid_state']);
  });

  it('is refused for an earlier step, for none, for one of another package, and for what is no step', async () => {
    const { courier, sender, id } = await carried();
    const first = await lastOf(courier, id);
    await record(courier, id, 'arrived');
    const other = await carried();
    const [created] = await eventsFor(sender, id);
    const foreign = [
      first,
      randomUUID(),
      await lastOf(other.courier, other.id),
      created?._id ?? '',
    ];
    for (const corrects of foreign) {
      const answer = await record(courier, id, 'corrected', { corrects });
      expect(outcome(answer)).toEqual([409, 'invalid_state']);
    }
    expect(outcome(await record(courier, id, 'corrected'))).toEqual([422, 'invalid_fields']);
    const corrects = await lastOf(courier, id);
    const odd = await record(courier, id, 'arrived', { corrects });
    expect(outcome(odd)).toEqual([422, 'invalid_fields']);
  });

  it('happens once, of two at the same time', async () => {
    const { courier, id } = await carried();
    const corrects = await lastOf(courier, id);
    const second = await stage().another();
    const answers = await Promise.all(
      [stage(), second].map((server) => record(courier, id, 'corrected', { corrects }, server)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  });
});

describe('a confirmation', () => {
  it('is the sender’s word on a delivery that only the courier vouches for, once', async () => {
    const { sender, courier, id } = await carried({});
    const early = await record(sender, id, 'confirmed');
    expect(outcome(early)).toEqual([409, 'invalid_state']);
    await record(courier, id, 'delivered', { proof: photo() });
    expect(outcome(await record(courier, id, 'confirmed'))).toEqual([403, 'forbidden']);
    const { status, body } = await record(sender, id, 'confirmed');
    expect([status, body.verifiedBy]).toEqual([201, 'sender']);
    expect(outcome(await record(sender, id, 'confirmed'))).toEqual([409, 'invalid_state']);
  });
});

describe('an event', () => {
  it.each([
    ['1968-12-31T23:59:59Z', 'invalid_fields'],
    // An empty battery sets a clock back to this, in UTC or in Nigeria.
    ['1969-12-31T23:00:00Z', undefined],
    ['1970-01-01T00:00:00Z', undefined],
    ['2000-01-01T00:00:00Z', undefined],
    ['2090-01-01T00:00:00Z', undefined],
    ['2200-01-01T00:00:00Z', 'invalid_fields'],
  ])('said to be of %s: %s, and never outside the package’s life', async (occurredAt, code) => {
    const { courier, id } = await carried();
    const [{ effectiveAt: before } = { effectiveAt: '' }] = (await eventsFor(courier, id)).slice(
      -1,
    );
    stage().pass(minute);
    const answer = await record(courier, id, 'arrived', { occurredAt });
    expect(answer.body.code).toBe(code);
    if (code) return;
    const last = (await eventsFor(courier, id)).at(-1);
    expect(last?.timeTrust).toBe('low');
    expect((last?.effectiveAt ?? '') >= before).toBe(true);
    expect((last?.effectiveAt ?? '9') <= stage().now().toISOString()).toBe(true);
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
      const answer = await record(courier, id, 'delivered', { proof });
      expect([proof, ...outcome(answer)]).toEqual([proof, 422, 'invalid_fields']);
    }
    const cash = await record(courier, id, 'arrived', { cashCollected: true });
    expect(outcome(cash)).toEqual([422, 'invalid_fields']);
    // Money of the app is not cash.
    const app = await carried({ paymentMethod: 'app' });
    const taken = await record(app.courier, app.id, 'delivered', { cashCollected: true });
    expect(outcome(taken)).toEqual([409, 'invalid_state']);
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
    const others = await put(courier, id, proofId, pictures.png);
    expect(outcome(others)).toEqual([409, 'id_taken']);
    const readers = { sender, courier, admin: await stage().admin() };
    for (const [who, reader] of Object.entries(readers)) {
      const answer = await get(reader, id, proofId);
      expect([who, answer.statusCode]).toEqual([who, 200]);
      expect(answer.rawPayload.includes(pictures.telltale)).toBe(false);
      expect(answer.rawPayload).toEqual(pictures.jpeg);
      expect(answer.headers).toMatchObject({
        'content-type': 'image/jpeg',
        'x-content-type-options': 'nosniff',
        'cache-control': 'private, no-cache',
        vary: 'authorization',
        'content-security-policy': expect.stringContaining('sandbox'),
      });
    }
    const strangers = [await stage().person('Customer'), await stage().person('Employee')];
    for (const stranger of strangers) {
      expect((await get(stranger, id, proofId)).statusCode).toBe(404);
    }
    expect((await get(null, id, proofId)).statusCode).toBe(401);
    // Under another package it does not exist, and is another picture.
    const other = await carried();
    expect((await get(other.courier, other.id, proofId)).statusCode).toBe(404);
    expect((await put(other.courier, other.id, proofId, pictures.png)).status).toBe(200);
    expect((await get(courier, id, proofId)).rawPayload).toEqual(pictures.jpeg);
    expect((await get(other.sender, other.id, proofId)).rawPayload).toEqual(pictures.png);
  });

  it('is taken of its courier alone', async () => {
    const { sender, id } = delivery;
    const bytes = pictures.jpeg;
    expect(outcome(await put(null, id, randomUUID(), bytes))).toEqual([401, 'unauthenticated']);
    const allowed = [sender, await stage().admin()];
    for (const who of allowed) {
      expect(outcome(await put(who, id, randomUUID(), bytes))).toEqual([403, 'forbidden']);
    }
    const stranger = await stage().person('Employee');
    expect(outcome(await put(stranger, id, randomUUID(), bytes))).toEqual([404, 'not_found']);
    const nowhere = await put(stranger, randomUUID(), randomUUID(), bytes);
    expect(outcome(nowhere)).toEqual([404, 'not_found']);
    expect(outcome(await put(sender, id, 'photo', bytes))).toEqual([404, 'not_found']);
  });

  it('may come after the delivery, and after another has the package', async () => {
    const { courier, id } = await carried();
    const other = await stage().person('Employee');
    const shown = photo();
    await record(courier, id, 'attempt_failed', { reason: 'closed', proof: shown });
    await record(await stage().admin(), id, 'handover', { courierId: other.id });
    const [named = ''] = shown.photoIds;
    expect((await put(courier, id, named, pictures.webp)).status).toBe(200);
    expect((await get(courier, id, named)).statusCode).toBe(200);
    expect((await get(other, id, named)).statusCode).toBe(200);
    expect(outcome(await put(courier, id, randomUUID(), pictures.webp))).toEqual([
      ...[404, 'not_found'],
    ]);
    const signatureId = randomUUID();
    await record(other, id, 'delivered', { proof: { ...photo(), signatureId } });
    expect((await put(other, id, signatureId, pictures.png)).status).toBe(200);
  });

  it('is what its bytes say, whatever its name', async () => {
    const { courier, id } = delivery;
    const proofId = randomUUID();
    await put(courier, id, proofId, pictures.webp, { 'content-type': 'image/png' });
    expect((await get(courier, id, proofId)).headers['content-type']).toBe('image/webp');
  });

  it('is refused where it is none, too large, damaged on its way, or of another type', async () => {
    const { courier, id } = delivery;
    const send = (bytes: Buffer, headers: Record<string, string> = {}) =>
      put(courier, id, randomUUID(), bytes, headers);
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
    expect(outcome(await send(svg))).toEqual([422, 'bad_picture']);
    expect(outcome(await send(Buffer.from('<!doctype html><p>Hello there')))).toEqual([
      ...[422, 'bad_picture'],
    ]);
    expect(outcome(await send(Buffer.alloc(0)))).toEqual([422, 'bad_picture']);
    for (const type of ['image/svg+xml', 'text/html', 'application/json', 'image/gif']) {
      const answer = await send(svg, { 'content-type': type });
      expect([type, ...outcome(answer)]).toEqual([type, 415, 'unsupported_media']);
    }
    const huge = Buffer.concat([pictures.jpeg, Buffer.alloc(maxPictureBytes)]);
    expect(outcome(await send(huge))).toEqual([413, 'picture_too_large']);
    const digest = contentDigest(digestOf(Buffer.from('other bytes')));
    const damaged = await send(pictures.jpeg, { 'content-digest': digest });
    const said = async (bytes: Buffer, type = 'image/png') =>
      (await send(bytes, { 'content-type': type })).body.message;
    // As the bounds and kinds are in numbers.
    expect(await said(svg)).toMatch(/JPEG, PNG or WebP.* 4,096 pixels/);
    expect(await said(huge)).toContain('400 kB');
    expect([maxPictureSide, maxPictureBytes]).toEqual([4096, 400_000]);
    for (const type of pictureTypes) expect(await said(svg, 'image/heic')).toContain(type);
    expect(outcome(damaged)).toEqual([400, 'picture_damaged']);
    expect(damaged.body.message).toBe('The picture was damaged on its way. Send it again.');
    const without = await send(pictures.jpeg, { 'content-digest': '' });
    expect(outcome(without)).toEqual([422, 'invalid_fields']);
    expect(await stage().database.db.$count(proofs, eq(proofs.packageId, id))).toBeLessThan(5);
  });

  it('is stored by who recorded the event that names it, through no other package and by nobody else', async () => {
    const mine = await carried();
    const named = randomUUID();
    const proof = { ...photo(), photoIds: [named], signatureId: randomUUID() };
    await record(mine.courier, mine.id, 'delivered', { proof });
    // Its sender reads the ids, and names them with what they carry elsewhere.
    const theirs = await createdPackage(stage(), mine.sender, {});
    await patchPackage(stage(), mine.courier, theirs, acceptance(mine.courier));
    await record(mine.courier, theirs._id, 'picked_up');
    for (const [nth, id] of [named, proof.signatureId].entries()) {
      const _id = randomUUID();
      const given = { _id, proof: { photoIds: [id] } };
      if (nth === 0) await record(mine.sender, theirs._id, 'return_started');
      await record(mine.sender, theirs._id, 'returned', given);
      await put(mine.sender, theirs._id, id, pictures.png);
      expect(outcome(await put(mine.sender, mine.id, id, pictures.png))).toEqual([
        403,
        'forbidden',
      ]);
      expect((await put(mine.courier, mine.id, id, pictures.jpeg)).status).toBe(200);
      expect((await get(mine.sender, mine.id, id)).rawPayload).toEqual(pictures.jpeg);
    }
    // Nor does the next courier fill what the one before has named.
    const handed = await carried();
    const [id, next] = [randomUUID(), await stage().person('Employee')];
    await record(handed.courier, handed.id, 'attempt_failed', {
      reason: 'closed',
      proof: { photoIds: [id] },
    });
    await record(await stage().admin(), handed.id, 'handover', { courierId: next.id });
    expect(outcome(await put(next, handed.id, id, pictures.png))).toEqual([403, 'forbidden']);
    expect((await put(handed.courier, handed.id, id, pictures.jpeg)).status).toBe(200);
  });

  it('says something of one step: named again it is refused, unless its author took that one back', async () => {
    const { sender, courier, id } = await carried();
    const shown = photo();
    const [named = ''] = shown.photoIds;
    const attempt = randomUUID();
    await record(courier, id, 'attempt_failed', { _id: attempt, reason: 'closed', proof: shown });
    await put(courier, id, named, pictures.jpeg);
    const again = [
      await record(courier, id, 'delivered', { proof: shown }),
      await record(courier, id, 'delivered', { proof: { ...photo(), signatureId: named } }),
      await record(sender, id, 'delivered', { proof: { photoIds: [named] } }),
    ];
    expect(again.map(outcome)).toEqual(again.map(() => [409, 'id_taken']));
    await record(courier, id, 'corrected', { corrects: attempt });
    const theirs = await record(sender, id, 'delivered', { proof: { photoIds: [named] } });
    expect(outcome(theirs)).toEqual([409, 'id_taken']);
    const own = await record(courier, id, 'delivered', { proof: shown });
    expect([own.status, own.body.verifiedBy]).toEqual([201, 'photo']);
  });

  it.each([
    'picked_up',
    'arrived',
    'return_started',
    'confirmed',
    'corrected',
    'handover',
  ] as const)('comes with no %s, which proves nothing', async (type) => {
    const { courier, id } = await carried();
    const more = {
      ...(type === 'corrected' && { corrects: randomUUID() }),
      ...(type === 'handover' && { courierId: courier.id }),
    };
    const answer = await record(courier, id, type, { ...more, proof: photo() });
    expect([...outcome(answer), Object.keys(answer.body.fields ?? {})]).toEqual([
      ...[422, 'invalid_fields', ['proof']],
    ]);
  });

  it('is one of forty of a person and package at most', async () => {
    const { courier, id } = await carried();
    const statuses: number[] = [];
    for (let n = 0; n < 41; n += 1) {
      statuses.push((await put(courier, id, randomUUID(), pictures.png)).status);
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(40);
    expect(statuses.at(-1)).toBe(409);
  });

  it('is deleted when it is old enough, and its event stays', async () => {
    const { courier, sender, id } = await carried();
    const proof = photo();
    const [named = ''] = proof.photoIds;
    await record(courier, id, 'delivered', { proof });
    await put(courier, id, named, pictures.png);
    const dayMs = 24 * 60 * minute;
    const complaints: string[] = [];
    const log = { error: (_: object, message: string) => void complaints.push(message) };
    const tidy = startRetention.bind(null, {
      database: stage().database,
      store: openPictureStore(null),
      log,
      now: stage().now,
      proofDays: 90,
    });
    stage().pass(90 * dayMs - minute);
    await tidy()();
    expect(await stage().database.db.$count(proofs, eq(proofs.id, named))).toBe(1);
    stage().pass(2 * minute);
    await tidy()();
    expect(await stage().database.db.$count(proofs, eq(proofs.id, named))).toBe(0);
    expect(complaints).toEqual([]);
    const again = await stage().again(sender);
    expect((await get(again, id, named)).statusCode).toBe(404);
    expect((await eventsFor(again, id)).at(-1)?.proof?.photoIds).toEqual([named]);
  });
});

describe('an event', () => {
  it('of which nothing was kept cannot be taken back', async () => {
    const { courier, id } = await carried({});
    const corrects = randomUUID();
    const moment = stage().now();
    await stage().database.db.insert(packageEvents).values({
      id: corrects,
      packageId: id,
      type: 'arrived',
      actorId: courier.id,
      occurredAt: moment,
      receivedAt: moment,
      effectiveAt: moment,
    });
    const answer = await record(courier, id, 'corrected', { corrects });
    expect(outcome(answer)).toEqual([409, 'invalid_state']);
  });
});
