/**
 * Invalid input for every call of the contract: a row per call (a missing row does not compile), a
 * column per kind of invalid input.
 */
import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorCode } from '#contract/errors.ts';
import { pathOf, type Route, type RouteName, routes } from '#contract/routes.ts';
import { topUps } from '#server/database/money-schema.ts';
import { sessions } from '#server/database/schema.ts';
import { errorCatalogue } from '#server/http/error-catalogue.ts';
import { largeIntegers } from '#tests/contract/json-schema-values.ts';
import { subscriptionBody } from '#tests/fakes/push-service.ts';
import { fileStage, goodPassword, outcomeOf, type Person, packageBody, profile } from './stage.ts';

const stage = fileStage();
let sender: Person;
let stranger: Person;
let admin: Person;
/** A package, top-up and session of `sender`, not accessible to a stranger. */
let theirs: { package: string; reference: string; session: string };

beforeAll(async () => {
  [sender, stranger] = await stage().people('Customer', 'Customer');
  admin = await stage().admin();
  await stage().edit(admin, { id: admin.id, ...profile });
  const reference = `kaya_${randomUUID()}`;
  await stage().db.insert(topUps).values({
    reference,
    userId: sender.id,
    provider: 'sandbox',
    requestedKobo: 50_000,
    createdAt: stage().now(),
  });
  const { _id } = await stage().created(sender);
  const [session = ''] = await stage()
    .db.select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.userId, sender.id))
    .then((rows) => rows.map(({ id }) => id));
  theirs = { package: _id, reference, session };
});

afterAll(() => {
  expect(stage().logs.filter((line) => line.includes('"level":50'))).toEqual([]);
});

type Outcome = ErrorCode | 'ok';

/** Bodies and headers that are invalid for every call. */
const wrongs = {
  /** Truncated, a bare word, or a number that JSON does not allow. */
  unreadable: ['{"email":', 'nonsense', '{"amount":NaN}', '\u0000'],
  poisoned: ['{"__proto__":{"isAdmin":true}}', '{"constructor":{"prototype":{"isAdmin":true}}}'],
  notObject: ['[]', 'null', '"text"', '42', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
  unknownField: ['{"isAdmin":true}', '{"toString":1}', '{"$where":"1"}', '{"constructor":1}'],
  tooLarge: [JSON.stringify({ description: 'x'.repeat(70_000) })],
} as const;
type Wrong = keyof typeof wrongs;
const otherMedia = ['text/plain', 'application/x-www-form-urlencoded', 'application/xml'];

interface Row extends Record<Wrong, Outcome> {
  otherMedia: Outcome;
  /** Without credentials; with forged ones. */
  anonymous: Outcome;
  forged: Outcome;
  /** An invalid Idempotency-Key. */
  badKey: Outcome;
  /** Instead of 'ok' for who is no admin. */
  others?: ErrorCode;
}

type Bodies = Record<Wrong | 'otherMedia', Outcome>;
const everything = (outcome: Outcome): Bodies => ({
  unreadable: outcome,
  poisoned: outcome,
  notObject: outcome,
  unknownField: outcome,
  tooLarge: outcome,
  otherMedia: outcome,
});
const limits = { tooLarge: 'too_large', otherMedia: 'unsupported_media' } as const;
const withBody: Bodies = { ...everything('malformed'), unknownField: 'invalid_fields', ...limits };
/** Outcomes of calls without a body, which ignore a readable one. */
const bodyIgnored = (outcome: Outcome): Bodies => ({
  ...everything('malformed'),
  notObject: outcome,
  unknownField: outcome,
  ...limits,
});

const bearer = { anonymous: 'unauthenticated', forged: 'session_expired' } as const;
const change: Row = { ...withBody, ...bearer, badKey: 'invalid_fields' };
const bare = (outcome: Outcome): Row => ({ ...change, ...bodyIgnored(outcome) });
const list: Row = { ...everything('ok'), ...bearer, badKey: 'ok' };
const lookup: Row = { ...everything('not_found'), ...bearer, badKey: 'not_found' };
/** Of calls for couriers, which these callers are not. */
const couriers: Row = { ...everything('forbidden'), ...bearer, badKey: 'forbidden' };
/** Whoever calls. */
const always = (outcome: Outcome, bodies = everything(outcome)): Row => ({
  ...bodies,
  anonymous: outcome,
  forged: outcome,
  badKey: outcome,
});
// The signature covers the raw bytes, so it is checked before parsing.
const signed: Row = { ...always('signature_invalid'), tooLarge: 'too_large' };

const table: Record<RouteName, Row> = {
  signUp: always('malformed', withBody),
  login: always('malformed', withBody),
  logout: always('ok', bodyIgnored('ok')),
  refresh: { ...always('unauthenticated'), forged: 'session_expired' },
  forgotPassword: always('malformed', withBody),
  resetPassword: always('malformed', withBody),
  confirmEmail: always('malformed', withBody),
  sendConfirmation: bare('ok'),
  listSessions: list,
  endSession: bare('not_found'),
  listUsers: list,
  addUser: change,
  patchUser: change,
  deleteUser: change,
  adjustBalance: change,
  listPackages: list,
  getPackage: lookup,
  createPackage: change,
  patchPackage: change,
  listEvents: lookup,
  recordEvent: change,
  putProof: lookup,
  openDispute: change,
  resolveDispute: change,
  getProof: lookup,
  replaceTracking: bare('not_found'),
  // The pages are tested in tracking.test.ts.
  getTracking: always('not_found'),
  leaveNote: always('malformed', withBody),
  trackedPhoto: always('not_found'),
  deletePackage: bare('not_found'),
  initiatePayment: change,
  verifyPayment: lookup,
  paymentWebhook: signed,
  textWebhook: signed,
  listPayments: list,
  listPayouts: couriers,
  createPayout: change,
  listBanks: couriers,
  // Without its query.
  resolveBank: { ...everything('invalid_fields'), ...bearer, badKey: 'invalid_fields' },
  putBankAccount: change,
  pushOffer: list,
  putPush: change,
  deletePush: change,
  putPosition: change,
  deletePosition: bare('ok'),
  listPositions: { ...list, others: 'forbidden' },
};

type Send = { body?: string; headers?: Record<string, string> };
const expected = (outcome: Outcome, success: number) =>
  outcome === 'ok' ? [success, undefined] : [errorCatalogue[outcome].status, outcome];

/** A call with ids that do not exist. */
async function ask(route: Route, who: Person | null, how: Send, path = route.path) {
  const ids = { id: randomUUID(), disputeId: randomUUID(), reference: randomUUID() };
  const token = randomUUID().replaceAll('-', '').slice(0, 22);
  const url = pathOf(path, { ...ids, token, photoId: randomUUID() });
  const answer = await stage().send(who, route.method, url, how);
  if (answer.status >= 400) expect(answer.body.message.length).toBeGreaterThan(10);
  return outcomeOf(answer);
}

describe.each(Object.entries(table))('%s', (name, row) => {
  const route: Route = routes[name as RouteName];
  const json = { 'content-type': 'application/json' };
  const outcomeFor = (who: Person | null, outcome: Outcome) =>
    outcome === 'ok' && who !== admin ? (row.others ?? 'ok') : outcome;

  it.each(Object.keys(wrongs) as Wrong[])('refuses an invalid body: %s', async (wrong) => {
    for (const body of wrongs[wrong]) {
      for (const who of route.proof === 'bearer' ? [stranger, admin] : [null]) {
        const outcome = await ask(route, who, { body, headers: json });
        expect([body.slice(0, 40), ...outcome]).toEqual([
          ...[body.slice(0, 40), ...expected(outcomeFor(who, row[wrong]), route.status)],
        ]);
      }
    }
  });

  it('accepts only JSON', async () => {
    for (const type of otherMedia) {
      const how = { body: 'a=b', headers: { 'content-type': type } };
      const who = route.proof === 'bearer' ? stranger : null;
      const outcome = await ask(route, who, how);
      const wanted = outcomeFor(who, row.otherMedia);
      expect([type, ...outcome]).toEqual([type, ...expected(wanted, route.status)]);
    }
  });

  it('checks credentials first', async () => {
    const headers: Record<string, string>[] = [
      ...['Bearer', 'Basic YTpi', 'Bearer a b', 'x'.repeat(8000)].map((authorization) => ({
        authorization,
      })),
      {},
    ];
    const body = route.method === 'GET' ? {} : { body: '[]' };
    for (const each of headers) {
      const outcome = await ask(route, null, { ...body, headers: { ...json, ...each } });
      expect(outcome).toEqual(expected(row.anonymous, route.status));
    }
    for (const token of ['nonsense', 'a.b.c', `${sender.token}x`]) {
      const forged = {
        authorization: `Bearer ${token}`,
        cookie: `kaya_refresh=${token}`,
        'x-paystack-signature': 'a'.repeat(128),
        'x-termii-signature': 'a'.repeat(128),
      };
      const outcome = await ask(route, null, { ...body, headers: { ...json, ...forged } });
      expect(outcome).toEqual(expected(row.forged, route.status));
    }
  });

  it('refuses an invalid Idempotency-Key where it accepts one', async () => {
    const body = route.method === 'GET' ? {} : { body: '[]' };
    for (const key of ['', 'two words', 'x'.repeat(201), 'é']) {
      const headers = { ...json, 'idempotency-key': key };
      const who = route.proof === 'bearer' ? stranger : null;
      const outcome = await ask(route, who, { ...body, headers });
      const wanted = outcomeFor(who, row.badKey);
      expect([key, ...outcome]).toEqual([key, ...expected(wanted, route.status)]);
    }
  });
});

/** Callers naming another user's row, and an admin naming a row that does not exist. */
interface Naming {
  path?: string;
  body?: object;
  code: ErrorCode;
  by?: 'admin';
}

describe('an id', () => {
  const nobody = randomUUID();
  const toNobody = { deliveryPersonId: nobody };
  const reason = { amount: 5, reason: 'Counted' };
  const subscription = (topics: Parameters<typeof subscriptionBody>[1]) =>
    subscriptionBody('https://push.example/x', topics);
  const newUser = (email: string) => ({
    ...profile,
    email,
    roles: ['Customer'],
    password: 'sixsix',
  });
  const dispute = { _id: randomUUID(), kind: 'damaged', text: 'It was wet' };
  const place = { lat: 12.0022, lng: 8.5919, accuracy: 20 };
  const decision = { decision: 'refund', reason: 'The photo shows it' };
  const bankAccount = { bankCode: '058', accountNumber: '0123456789', password: goodPassword };
  const anEvent = (type: string) => ({
    _id: randomUUID(),
    type,
    occurredAt: '2026-11-21T10:00:00.000Z',
  });
  const namings = (): Partial<Record<RouteName, Naming[]>> => ({
    endSession: [
      { path: theirs.session, code: 'not_found' },
      { path: theirs.session, code: 'not_found', by: 'admin' },
      { path: nobody, code: 'not_found' },
    ],
    addUser: [
      { body: newUser(sender.email), code: 'email_taken', by: 'admin' },
      { body: newUser('x@kaya.test'), code: 'forbidden' },
    ],
    patchUser: [
      { body: { id: sender.id, firstName: 'Mine' }, code: 'not_found' },
      { body: { id: nobody, firstName: 'Mine' }, code: 'not_found' },
      { body: { id: nobody, firstName: 'Mine' }, code: 'not_found', by: 'admin' },
      { body: { id: 'me', firstName: 'Mine' }, code: 'invalid_fields' },
      { body: { id: stranger.id, email: sender.email.toUpperCase() }, code: 'email_taken' },
    ],
    deleteUser: [
      { body: { id: sender.id }, code: 'forbidden' },
      { body: { id: nobody }, code: 'not_found', by: 'admin' },
      { body: { id: 7 }, code: 'invalid_fields', by: 'admin' },
    ],
    adjustBalance: [
      { body: { id: sender.id, ...reason }, code: 'forbidden' },
      { body: { id: nobody, ...reason }, code: 'not_found', by: 'admin' },
      { body: { id: '', ...reason }, code: 'invalid_fields', by: 'admin' },
    ],
    getPackage: [
      { path: theirs.package, code: 'not_found' },
      { path: nobody, code: 'not_found', by: 'admin' },
    ],
    createPackage: [
      { body: packageBody({ senderId: sender.id }), code: 'forbidden' },
      { body: packageBody({ senderId: nobody }), code: 'invalid_fields', by: 'admin' },
      { body: packageBody({ _id: theirs.package }), code: 'id_taken' },
      { body: packageBody({ _id: 'KY-000001' }), code: 'invalid_fields' },
    ],
    patchPackage: [
      { path: theirs.package, body: { notes: 'Mine' }, code: 'not_found' },
      { path: nobody, body: { notes: 'Mine' }, code: 'not_found', by: 'admin' },
      { path: theirs.package, body: toNobody, code: 'invalid_fields', by: 'admin' },
    ],
    listEvents: [
      { path: theirs.package, code: 'not_found' },
      { path: nobody, code: 'not_found', by: 'admin' },
    ],
    recordEvent: [
      { path: theirs.package, body: anEvent('picked_up'), code: 'not_found' },
      { path: nobody, body: anEvent('picked_up'), code: 'not_found', by: 'admin' },
      { path: theirs.package, body: anEvent('handover'), code: 'invalid_fields', by: 'admin' },
      { path: theirs.package, body: anEvent('attempt_failed'), code: 'invalid_fields' },
      { path: theirs.package, body: anEvent('created'), code: 'invalid_fields' },
      {
        path: theirs.package,
        body: { ...anEvent('picked_up'), occurredAt: '1960-01-01T00:00:00Z' },
        code: 'invalid_fields',
      },
    ],
    openDispute: [
      { path: theirs.package, body: dispute, code: 'not_found' },
      { path: nobody, body: dispute, code: 'not_found', by: 'admin' },
      { path: theirs.package, body: { ...dispute, kind: 'late' }, code: 'invalid_fields' },
    ],
    resolveDispute: [
      { path: theirs.package, body: decision, code: 'not_found' },
      { path: nobody, body: decision, code: 'not_found', by: 'admin' },
      { path: theirs.package, body: decision, code: 'invalid_state', by: 'admin' },
      {
        path: theirs.package,
        body: { ...decision, decision: 'split' },
        code: 'invalid_fields',
        by: 'admin',
      },
    ],
    replaceTracking: [
      { path: theirs.package, code: 'not_found' },
      { path: nobody, code: 'not_found', by: 'admin' },
    ],
    // Bytes and their owner are tested in proof.test.ts.
    putProof: [{ path: theirs.package, body: {}, code: 'unsupported_media' }],
    getProof: [
      { path: theirs.package, code: 'not_found' },
      { path: nobody, code: 'not_found', by: 'admin' },
    ],
    deletePackage: [
      { path: theirs.package, code: 'not_found' },
      { path: nobody, code: 'not_found', by: 'admin' },
    ],
    initiatePayment: [{ body: { email: sender.email, amount: 500 }, code: 'invalid_fields' }],
    verifyPayment: [
      { path: theirs.reference, code: 'not_found' },
      { path: theirs.reference, code: 'not_found', by: 'admin' },
      { path: nobody, code: 'not_found', by: 'admin' },
    ],
    createPayout: [
      { body: { amount: 500 }, code: 'forbidden' },
      { body: { amount: 500 }, code: 'forbidden', by: 'admin' },
      { body: { amount: 99 }, code: 'invalid_fields' },
    ],
    putBankAccount: [
      { body: bankAccount, code: 'forbidden' },
      { body: bankAccount, code: 'forbidden', by: 'admin' },
      { body: { ...bankAccount, accountNumber: '012345678' }, code: 'invalid_fields' },
    ],
    putPush: [
      { body: subscription(['newPackage']), code: 'forbidden' },
      { body: subscription(['accepted']), code: 'forbidden', by: 'admin' },
    ],
    deletePush: [{ body: { endpoint: 'https:/nowhere' }, code: 'invalid_fields' }],
    putPosition: [
      { body: place, code: 'forbidden' },
      { body: place, code: 'forbidden', by: 'admin' },
      { body: { ...place, lat: 91 }, code: 'invalid_fields' },
      { body: { ...place, accuracy: -1 }, code: 'invalid_fields' },
    ],
  });
  /** Every call that has a body or an id in its path. */
  const named = Object.entries<Route>(routes)
    .filter(([, { proof, body, params }]) => proof === 'bearer' && (body || params))
    .map(([name]) => name as RouteName);

  it('is covered for every call that takes one', () => {
    expect(Object.keys(namings()).sort(), 'namings() has each of these calls').toEqual(
      [...named].sort(),
    );
  });

  it.each(named)('of another user, unknown or malformed is refused by %s', async (name) => {
    const route: Route = routes[name];
    for (const { path, body, code, by } of namings()[name] ?? []) {
      const id = path ?? '';
      const url = pathOf(route.path, { id, reference: id, disputeId: nobody, proofId: nobody });
      const who = by === 'admin' ? admin : stranger;
      const answer = await stage().send(who, route.method, url, { body });
      expect([body, ...outcomeOf(answer)]).toEqual([body, errorCatalogue[code].status, code]);
    }
  });
});

const withParams = Object.entries<Route>(routes).filter(([, { params }]) => params);
describe.each(withParams)('%s', (_, route) => {
  const noIds = [
    '1',
    ' ',
    '%2e%2e%2f',
    '%',
    '\u0000',
    'é',
    "' or 1=1",
    'KY-000001',
    'x'.repeat(500),
  ];
  it.each(noIds)('answers 404 for %j, which is not an id', async (id) => {
    const body = route.body ? { body: '{"notes":"x"}' } : {};
    const headers = { 'content-type': 'application/json' };
    const path = route.path.replace(/:\w+/g, encodeURIComponent(id));
    expect(await ask(route, admin, { ...body, headers }, path)).toEqual([404, 'not_found']);
  });
});

const packagePath = () => `/api/packages/${theirs.package}`;
const ofPackage = ({ path }: Route) =>
  pathOf(path, { id: theirs.package, disputeId: randomUUID(), token: 'x'.repeat(22) });
const takingBody = Object.entries<Route>(routes).filter(([, { body }]) => body);

describe('fields', () => {
  it.each(
    takingBody,
  )('unknown, of a wrong type or too large are refused by name: %s', async (_, route) => {
    const { entries } = route.body as unknown as { entries: Record<string, unknown> };
    const path = ofPackage(route);
    for (const field of Object.keys(entries)) {
      for (const value of [{ a: 1 }, [[1]], ...largeIntegers]) {
        const body = { [field]: value };
        const answer = await stage().send(sender, route.method, path, { body });
        expect([field, value, answer.status]).toEqual([field, value, 422]);
        expect(answer.body.fields[field]?.length, field).toBeGreaterThan(5);
      }
      // Cleaned or refused, it never reaches the database, which takes no such character.
      const body = { [field]: 'nul\u0000' };
      const { status, text } = await stage().send(sender, route.method, path, { body });
      expect(status, field).toBeLessThan(500);
      if (status < 300) expect(text, field).not.toContain('\\u0000');
    }
    for (const field of ['isAdmin', 'constructor', '$where']) {
      const answer = await stage().send(sender, route.method, path, { body: { [field]: 1 } });
      const words = 'This field is not known here.';
      expect([answer.status, answer.body.fields[field]]).toEqual([422, words]);
    }
  });

  /** The rules themselves: tests/contract/schemas.test.ts. */
  it.each<[string, unknown]>([
    ['pickupAddress', null],
    ['pickupAddress', 'x'.repeat(301)],
    ['recipientPhone', '123'],
    ['pickupLocation', { lat: 91, lng: 8 }],
  ])('%s %j is refused on create and on edit', async (field, value) => {
    const body = packageBody({ [field]: value });
    const created = await stage().send(sender, 'POST', '/api/packages', { body });
    expect([created.status, Object.keys(created.body.fields)]).toEqual([422, [field]]);
    const edited = await stage().send(sender, 'PATCH', packagePath(), { body: { [field]: value } });
    expect([edited.status, Object.keys(edited.body.fields)]).toEqual([422, [field]]);
  });

  const ofPatches: ['package' | 'user', string, unknown][] = [
    ['package', 'deliveryStatus', '  '],
    ['package', 'deliveryStatus', null],
    ['package', 'deliveryPersonId', 'me'],
    ['package', 'paymentStatus', 'maybe'],
    ['package', 'baseVersion', -1],
    ['package', 'senderId', randomUUID()],
    ['user', 'firstName', ''],
    ['user', 'email', `${'x'.repeat(250)}@kaya.test`],
    ['user', 'password', 'short'],
    ['user', 'password', 'x'.repeat(201)],
    ['user', 'roles', ['King']],
    ['user', 'balance', 1_000_000],
  ];

  it.each(ofPatches)('of a %s: %s %j is refused', async (what, field, value) => {
    const [path, id] = what === 'package' ? [packagePath(), {}] : ['/api/users', { id: sender.id }];
    const answer = await stage().send(sender, 'PATCH', path, { body: { ...id, [field]: value } });
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([422, [field]]);
  });

  it.each([
    ['email', 'a@b', 'Please enter a valid email address.'],
    ['password', '1234567', 'Password must be at least 8 characters.'],
    ['role', 'Admin', 'Must be Customer or Employee.'],
  ])("%s %j in a sign-up is refused with the contract's message", async (field, value, words) => {
    const good = { email: 'new@kaya.test', password: goodPassword, role: 'Customer' };
    const body = { ...good, [field]: value };
    const answer = await stage().send(null, 'POST', '/api/auth/signup', { body });
    expect([answer.status, answer.body.fields]).toEqual([422, { [field]: words }]);
  });

  it('keep emoji, right-to-left text, markup and quotes', async () => {
    const strange = 'مرحبا 🎁 <script>alert(1)</script> \'; drop table packages; -- "';
    const pkg = await stage().created(sender, { description: strange, notes: 'a\nb\tc' });
    expect([pkg.description, pkg.notes]).toEqual([strange, 'a\nb c']);
  });
});

describe('a query', () => {
  const money = '/api/payments';
  const values = (name: string, all: string[]) =>
    all.map((value): [string, string] => [`${money}?${name}=${value}`, name]);
  const refusals: [string, string][] = [
    [`/api/packages?since=${'x'.repeat(9000)}`, 'since'],
    [`/api/users?since=${'x'.repeat(9000)}`, 'since'],
    ['/api/packages?since=a&since=b', 'since'],
    ['/api/packages?streamed=', 'streamed'],
    [`/api/packages?since=&streamed=${'1'.repeat(2001)}`, 'streamed'],
    ...['/api/packages?', '/api/events?rows=1&', '/api/events?'].flatMap((path) =>
      [
        '',
        '12,8.5',
        '12,8.5,0',
        '12,8.5,501',
        '91,8.5,5',
        '12,181,5',
        'a,b,c',
        '1,2,3&area=1,2,3',
      ].map((area): [string, string] => [`${path}area=${area}`, 'area']),
    ),
    ['/api/events?rows=', 'rows'],
    ['/api/events?rows=2', 'rows'],
    ['/api/events?rows=1&rows=1', 'rows'],
    ['/api/users?since=&since=', 'since'],
    ...values('limit', ['0', '101', '-1', 'ten', '', '1e1', '1&limit=2']),
    ...values('before', ['x', '', '-1', '99999999999999999', '1&before=2']),
  ];

  it.each(refusals)('with an invalid value is refused under its name: %s', async (url, field) => {
    const answer = await stage().send(sender, 'GET', url);
    expect(outcomeOf(answer)).toEqual([422, 'invalid_fields']);
    expect(Object.keys(answer.body.fields)).toEqual([field]);
    expect(answer.body.fields[field]?.length).toBeGreaterThan(5);
  });

  it('ignores unknown parameters', async () => {
    for (const list of ['/api/packages', '/api/users', money]) {
      const [plain, more] = [
        await stage().send(sender, 'GET', list),
        await stage().send(sender, 'GET', `${list}?_=1795255032095&__proto__=x&constructor=y`),
      ];
      expect([more.status, more.text]).toEqual([200, plain.text]);
    }
  });
});

describe('a path', () => {
  it.each([
    ['GET', '/api'],
    ['GET', '/api/'],
    ['GET', '/api/nothing'],
    ['PUT', '/api/packages'],
    ['DELETE', '/api/auth/login'],
  ] as const)('%s %s returns 404 as JSON', async (method, path) => {
    const answer = await stage().send(sender, method, path);
    expect(outcomeOf(answer)).toEqual([404, 'not_found']);
  });
});
