/**
 * The OpenAPI document, and requests generated from it, by several users, with live ids: none may end in a
 * 5xx, and every answer matches the contract (checked by the stage). FUZZ_SEED=… draws others.
 */
import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import type { WirePackage } from '#contract/package.ts';
import type { WireUser } from '#contract/user.ts';
import type { AccountTokenKind } from '#server/database/account-schema.ts';
import { bankAccounts } from '#server/database/payout-schema.ts';
import { issueAccountToken } from '#server/modules/auth/account-tokens.ts';
import { getOrCreateSetting } from '#server/modules/auth/repository.ts';
import { png } from '#tests/builders/pictures.ts';
import { document } from '#tests/contract/open-api.ts';
import { fixedSeed } from '#tests/fixed-seed.ts';
import { rounds } from '#tests/size.ts';
import { type Draft, drafts, fuzzed, signatureOf } from './fuzz-requests.ts';
import { pictureHeaders } from './package-calls.ts';
import { fileStage, goodPassword, type Person } from './stage.ts';
import { carried, delivered, storePhoto, tokenOf } from './tracking-stage.ts';

const requestCount = rounds(1_000, 10_000);
/** Against hanging only. */
const limitMs = rounds(180_000, 600_000);
const lanes = 4;
const seed = Number(process.env.FUZZ_SEED ?? fixedSeed);

const stage = fileStage({ PAYMENTS: 'sandbox' });

type Role = 'Customer' | 'Employee' | 'Admin';
const roles: Role[] = ['Customer', 'Customer', 'Employee', 'Employee', 'Admin'];
const people: Person[] = [];
/** Users the admin may change and deactivate without ending the others' sessions. */
const others: Person[] = [];
/** Users nobody changes, so that their sign-in succeeds. */
let visitor: Person;
const packages: string[] = [];
const references: string[] = [];
const cursors: string[] = [];
/** Delivered, and of these the ones with a problem reported. */
const ended: string[] = [];
const disputes: { id: string; disputeId: string }[] = [];
/** Tokens of recipients' links, and the photo behind one of them. */
const tokens: string[] = [];
let photo = { token: '', photoId: '' };
let secretKey = '';
/** Logins that the first of the people may end. */
const spareSessions: string[] = [];
/** Of links in mails, to accounts that nobody else uses. */
const mailed: Record<AccountTokenKind, string[]> = { reset: [], confirm: [] };

async function mailLinks(): Promise<void> {
  const { id: userId, email } = await comer('Customer');
  const { db, now } = stage();
  for (const kind of ['reset', 'confirm'] as const) {
    const link = { userId, kind, email, mailId: randomUUID(), now: now() };
    mailed[kind].push(await issueAccountToken(db, link));
  }
}

const bankAccount = { bankCode: '058', accountNumber: '0123456789' };

const comer = (role: Role) => (role === 'Admin' ? stage().admin() : stage().person(role));

/** The same user where possible: their packages are waiting. */
async function comeBack({ email }: Person, role: Role): Promise<Person> {
  try {
    return await stage().signIn(email);
  } catch {
    return comer(role);
  }
}

beforeAll(async () => {
  await stage().app.listen({ port: 0, host: '127.0.0.1' });
  for (const role of roles) people.push(await comer(role));
  for (const role of ['Customer', 'Employee'] as const) others.push(await comer(role));
  visitor = await comer('Customer');
  const [sender, , courier] = people;
  if (!sender || !courier) throw new Error('Nobody came.');
  for (let made = 0; made < 20; made += 1) {
    const pkg = await stage().created(sender);
    packages.push(pkg._id);
    tokens.push(tokenOf(pkg));
  }
  for (const _id of packages.slice(0, 8)) {
    await stage().accept(courier, _id);
  }
  for (let made = 0; made < 8; made += 1) {
    const pkg = await stage().created(sender);
    await stage().accept(courier, pkg);
    await stage().deliver(courier, pkg);
    ended.push(pkg._id);
  }
  for (const id of ended.splice(0, 4)) {
    const body = { _id: randomUUID(), kind: 'damaged', text: 'Torn.' };
    await stage().send(sender, 'POST', `/api/packages/${id}/disputes`, { body });
    disputes.push({ id, disputeId: body._id });
  }
  await stage().give(courier, 1_000_000_000_000);
  await stage()
    .db.insert(bankAccounts)
    .values({
      userId: courier.id,
      ...bankAccount,
      bankName: 'GTBank',
      accountName: 'AMINA BELLO',
      recipientCode: 'RCP_1',
      usableFrom: stage().now(),
      savedAt: stage().now(),
    });
  const followed = await carried(stage());
  photo = { token: followed.token, photoId: randomUUID() };
  await delivered(stage(), followed, [photo.photoId]);
  await storePhoto(stage(), followed, photo.photoId);
  for (let made = 0; made < 12; made += 1) {
    await mailLinks();
    const spare = await stage().again(sender);
    spareSessions.push(String(decodeJwt(spare.token).sid));
  }
  secretKey = await getOrCreateSetting(stage().db, 'sandbox_secret_key', '');
});

function oneOf<T>(items: readonly T[], dice: number | undefined): T | undefined {
  return items[Math.floor((dice ?? 0) * items.length)];
}

/** Calls that set or check the shared password, so that the users can sign in again. */
const passwordKept = new Set(['login', 'patchUser', 'putBankAccount']);
const byCouriers = new Set(['createPayout', 'listBanks', 'resolveBank', 'putBankAccount']);
const byAdmins = new Set(['addUser', 'deleteUser', 'adjustBalance', 'resolveDispute']);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Headers of the app's own client. */
const usualPatches = (courierId: string) => [
  { deliveryPersonId: courierId, deliveryStatus: 'In Transit' },
  { deliveryPersonId: courierId, deliveryStatus: 'In Transit', baseVersion: 2 ** 31 },
  { deliveryPersonId: null, deliveryStatus: 'Pending' },
  { deliveryStatus: 'delivered' },
  { deliveryStatus: 'Cancelled' },
  { paymentStatus: 'paid' },
  { paymentMethod: 'app' },
  { priceOffer: 10 },
  { notes: null },
];

const usualEvents = (courierId: string) => [
  { type: 'picked_up' },
  { type: 'arrived' },
  { type: 'attempt_failed', reason: 'refused' },
  { type: 'return_started' },
  { type: 'returned' },
  { type: 'delivered' },
  { type: 'handover', courierId },
];

/** Existing ids and addresses, replacing generated ones. */
function enlivened({ operation, body, dice, nonce }: Draft, who: Person): unknown {
  if (!isObject(body) || (dice[0] ?? 0) > 0.85) return body;
  // Patch one field at a time: a single invalid field refuses the whole patch.
  const isPatch = operation.method === 'patch' && operation.operationId !== 'adjustBalance';
  if (operation.operationId === 'patchPackage' && (dice[1] ?? 0) < 0.4) {
    return oneOf(usualPatches(who.id), dice[2]);
  }
  if (operation.operationId === 'recordEvent' && (dice[1] ?? 0) < 0.7) {
    const occurredAt = stage().now().toISOString();
    return { _id: nonce, occurredAt, ...oneOf(usualEvents(who.id), dice[2]) };
  }
  // The admin could lose their own role or active flag once there is another admin.
  const mayBeOwn = operation.operationId === 'patchUser' && who !== people[4];
  const isOwn = mayBeOwn && (dice[1] ?? 0) < 0.7;
  const user = isOwn ? who : oneOf(others, dice[2]);
  const courier = oneOf([people[2], people[3], who], dice[3]);
  const email = {
    initiatePayment: who.email,
    login: visitor.email,
  }[operation.operationId];
  const live: Record<string, unknown> = {
    id: user?.id,
    senderId: who.id,
    deliveryPersonId: courier?.id,
    _id: nonce,
    email: email ?? `${nonce}@kaya.test`,
    ...bankAccount,
    token: oneOf(mailed[operation.operationId === 'resetPassword' ? 'reset' : 'confirm'], dice[4]),
    ...(passwordKept.has(operation.operationId) ? { password: goodPassword } : {}),
  };
  const entries = Object.entries(body).filter(
    ([name], index) => !isPatch || name === 'id' || index % 8 === Math.floor((dice[3] ?? 0) * 8),
  );
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      typeof value === 'string' && live[name] !== undefined ? live[name] : value,
    ]),
  );
}

function urlOf({ operation, query, dice, wildText }: Draft): string {
  const { operationId } = operation;
  const disputed = operationId === 'resolveDispute' ? oneOf(disputes, dice[4]) : undefined;
  const ids =
    { verifyPayment: references, openDispute: ended, endSession: spareSessions }[operationId] ??
    packages;
  const alive = disputed?.id ?? oneOf(ids, dice[4]);
  const value = alive === undefined || (dice[5] ?? 0) > 0.9 ? wildText : alive;
  const isPhoto = operationId === 'trackedPhoto' && (dice[5] ?? 0) < 0.7;
  const token = isPhoto ? photo.token : (oneOf(tokens, dice[4]) ?? wildText);
  const path = operation.path
    .replace('{token}', encodeURIComponent((dice[5] ?? 0) > 0.9 ? wildText : token))
    .replace('{photoId}', encodeURIComponent(isPhoto ? photo.photoId : wildText))
    .replace('{disputeId}', encodeURIComponent(disputed?.disputeId ?? value))
    .replace(/\{\w+\}/g, () => encodeURIComponent(value));
  const cursor = 'since' in query && (dice[6] ?? 0) < 0.6 ? oneOf(cursors, dice[5]) : undefined;
  const account = operationId === 'resolveBank' && (dice[6] ?? 0) < 0.7 ? bankAccount : {};
  const asked = { ...query, ...account, ...(cursor === undefined ? {} : { since: cursor }) };
  const pairs = Object.entries(asked).map(
    ([name, given]) => `${name}=${encodeURIComponent(String(given))}`,
  );
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

function headersOf(draft: Draft, who: Person, text: string | undefined): Record<string, string> {
  const { operation, dice, nonce } = draft;
  const [first = 0, , , , , , , last = 0] = dice;
  const proof = Object.keys(operation.security[0] ?? {})[0];
  const signature = signatureOf(text ?? '', secretKey);
  return {
    ...(proof === 'cookie' && first < 0.8 ? { cookie: who.cookie } : {}),
    ...(proof === 'signature' && first < 0.8
      ? { 'x-paystack-signature': signature, 'x-termii-signature': signature }
      : {}),
    ...(last < 0.2
      ? { 'idempotency-key': last < 0.1 ? nonce : `key-${Math.floor(last * 99)}` }
      : {}),
    ...(last > 0.98 ? { authorization: `Bearer ${nonce}` } : {}),
    ...(last > 0.97 && last <= 0.98 ? { 'content-type': 'text/plain' } : {}),
  };
}

function remember(name: string, answer: { status: number; body: unknown; headers: object }): void {
  if (answer.status >= 300) return;
  if (name === 'createPackage') packages.push((answer.body as WirePackage)._id);
  if (name === 'createPackage' || name === 'replaceTracking') {
    tokens.push(tokenOf(answer.body as WirePackage));
  }
  const { data } = (answer.body ?? {}) as { data?: { reference?: string } };
  if (data?.reference !== undefined) references.push(data.reference);
  const cursor = (answer.headers as Record<string, unknown>)['sync-cursor'];
  if (typeof cursor === 'string') cursors.push(cursor);
}

const picture = { body: png, headers: pictureHeaders(png) };

const statuses = new Map<string, number[]>();
const failures: string[] = [];

async function sendOne(draft: Draft): Promise<void> {
  const { operationId, method } = draft.operation;
  const isByAdmin = byAdmins.has(operationId) && (draft.dice[6] ?? 0) < 0.6;
  const isPicture = operationId === 'putProof' && (draft.dice[1] ?? 0) < 0.8;
  const anyone = Math.floor((draft.dice[7] ?? 0) * people.length);
  const isStep = operationId === 'recordEvent' && (draft.dice[1] ?? 0) < 0.5;
  const isPayout = byCouriers.has(operationId) && (draft.dice[6] ?? 0) < 0.7;
  // The courier of the first packages.
  const isOfFirst = operationId === 'openDispute' || operationId === 'endSession';
  const isBySender = isOfFirst && (draft.dice[6] ?? 0) < 0.6;
  const place = isByAdmin ? 4 : isPicture || isStep || isPayout ? 2 : isBySender ? 0 : anyone;
  const who = people[place];
  const role = roles[place];
  if (!who || !role) throw new Error('Nobody to ask.');
  const body = enlivened(draft, who);
  const text = body === undefined ? undefined : JSON.stringify(body);
  const url = urlOf(draft);
  const usual = {
    headers: headersOf(draft, who, text),
    ...(text === undefined ? {} : { body: text }),
  };
  const how = isPicture ? { ...usual, ...picture } : usual;
  try {
    const verb = method.toUpperCase() as 'GET';
    const answer = await stage().send(who, verb, url, how);
    const seen = statuses.get(operationId) ?? [];
    seen.push(answer.status);
    statuses.set(operationId, seen);
    if (answer.status >= 500) {
      failures.push(`${verb} ${url} by ${role}: ${text?.slice(0, 600)} → ${answer.text}`);
    }
    remember(operationId, answer);
    const changed = operationId === 'patchUser' ? (answer.body as unknown as WireUser) : undefined;
    if (answer.status === 200 && changed?._id === who.id) who.email = changed.email ?? who.email;
    // A changed password or a logout would turn the next request into a 401.
    const isOut = answer.status === 401 && usual.headers.authorization === undefined;
    if (isOut || operationId === 'logout') people[place] = await comeBack(who, role);
  } catch (error) {
    failures.push(`${operationId} ${url} by ${role}: ${text?.slice(0, 600)} → ${error}`);
  }
}

it('/api/docs returns the document as JSON, and a page to a browser', async () => {
  const json = await stage().send(null, 'GET', '/api/docs/openapi.json');
  expect(json.body).toEqual(JSON.parse(JSON.stringify(document)));
  for (const [accept, type] of [
    [undefined, 'application/json'],
    ['application/json, text/html;q=0.5', 'application/json'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html'],
  ] as const) {
    const headers: Record<string, string> = accept === undefined ? {} : { accept };
    const answer = await stage().send(null, 'GET', '/api/docs', { headers });
    expect(answer.headers['content-type']).toBe(`${type}; charset=utf-8`);
    if (type === 'text/html') expect(answer.text).toMatch(/^<!doctype html>/);
    else expect(answer.body).toEqual(json.body);
  }
});

describe(`${requestCount} requests`, () => {
  it(
    'never end in a 5xx, and every answer matches the contract',
    async () => {
      const queue = drafts(requestCount, seed);
      const lane = async () => {
        for (let draft = queue.pop(); draft; draft = queue.pop()) await sendOne(draft);
      };
      await Promise.all(Array.from({ length: lanes }, lane));
      const logged = stage().logs.filter((line) => /"level":[56]0/.test(line));
      expect(
        { count: failures.length, first: failures.slice(0, 5), logged: logged.slice(0, 3) },
        `FUZZ_SEED=${seed}`,
      ).toEqual({ count: 0, first: [], logged: [] });
    },
    limitMs,
  );

  it('cover every call, and many of them succeed', () => {
    const all = [...statuses.values()].flat();
    expect(all.length, `FUZZ_SEED=${seed}`).toBeGreaterThanOrEqual(requestCount);
    const rate = all.filter((status) => status < 300).length / all.length;
    expect(rate, `FUZZ_SEED=${seed}`).toBeGreaterThan(0.25);
    const isDone = (operationId: string) =>
      statuses.get(operationId)?.some((status) => status < 300) ?? false;
    const neverDone = fuzzed.filter(({ operationId }) => !isDone(operationId));
    expect(
      neverDone.map(({ operationId }) => operationId),
      'no request to these succeeded: fuzz-requests.ts has to give them a weight, or what they need',
    ).toEqual([]);
  });
});
