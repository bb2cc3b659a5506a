/** The values of fields and queries: each that cannot be meant is refused at its own name. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Route, routes } from '#contract/routes.ts';
import { createdPackage, fileStage, goodPassword, type Person, packageBody } from './stage.ts';

const stage = fileStage();
let sender: Person;
let packagePath: string;

beforeAll(async () => {
  sender = await stage().person('Customer');
  packagePath = `/api/packages/${(await createdPackage(stage(), sender))._id}`;
});

afterAll(() => {
  expect(stage().logs.filter((line) => line.includes('"level":50'))).toEqual([]);
});

const withBody = Object.entries<Route>(routes).filter(([, { body }]) => body);

describe('fields', () => {
  it.each(withBody)('of a wrong type are refused each at its name by %s', async (_, route) => {
    const { entries } = route.body as unknown as { entries: Record<string, unknown> };
    const path = route.path.includes(':') ? packagePath : route.path;
    for (const field of Object.keys(entries)) {
      // A password is any text: nobody shows it, and only its hash is kept.
      const text = field === 'password' ? [] : ['nul\u0000'];
      for (const value of [{ a: 1 }, [[1]], ...text]) {
        const body = { [field]: value };
        const answer = await stage().send(sender, route.method, path, { body });
        expect([field, value, answer.status]).toEqual([field, value, 422]);
        expect(answer.body.fields[field]?.length, field).toBeGreaterThan(5);
      }
    }
  });

  it.each(withBody)('that nobody knows are refused by their names by %s', async (_, route) => {
    const path = route.path.includes(':') ? packagePath : route.path;
    for (const field of ['isAdmin', 'toString', 'hasOwnProperty', 'constructor', '$where']) {
      const answer = await stage().send(sender, route.method, path, { body: { [field]: 1 } });
      expect([answer.status, answer.body.fields[field]]).toEqual([
        422,
        'This field is not known here.',
      ]);
    }
  });

  const price = 'priceOffer';
  const cases: [string, unknown][] = [
    ['pickupAddress', ''],
    ['pickupAddress', '   '],
    ['pickupAddress', 12],
    ['pickupAddress', null],
    ['pickupAddress', ['Kano']],
    ['pickupAddress', 'x'.repeat(301)],
    ['pickupAddress', 'two\nlines'],
    ['deliveryAddress', 'bell\u0007'],
    ['recipientName', 'nul\u0000byte'],
    ['recipientName', {}],
    ['recipientPhone', 'call me'],
    ['recipientPhone', '123'],
    ['recipientEmail', 'not-an-email'],
    ['description', 'x'.repeat(1001)],
    ['notes', 'escape\u001b[2J'],
    ['pickupDate', 'tomorrow'],
    ['pickupDate', '2026-13-45T00:00:00Z'],
    ['pickupDate', 1795255032095],
    ['deliveryDate', '0001-01-01T00:00:00Z'],
    [price, -1],
    [price, 0],
    [price, 0.001],
    [price, 1e300],
    [price, 10_000_001],
    [price, '1500'],
    [price, null],
    ['pickupLocation', { lat: 91, lng: 8 }],
    ['pickupLocation', { lat: 12, lng: -181 }],
    ['pickupLocation', { lat: '12', lng: '8' }],
    ['pickupLocation', { lat: 12 }],
    ['pickupLocation', { lat: 12, lng: null }],
    ['pickupLocation', { lat: 12, lng: 8, __proto__x: 1 }],
    ['deliveryLocation', [12, 8]],
    ['deliveryLocation', '12, 8'],
    ['deliveryLocation', ''],
    ['deliveryLocation', false],
    ['paymentMethod', 'bitcoin'],
    ['paymentMethod', 'Cash'],
  ];

  it.each(cases)('%s %j is refused at its field, creating and editing', async (field, value) => {
    const created = await stage().send(sender, 'POST', '/api/packages', {
      body: packageBody({ [field]: value }),
    });
    expect([created.status, Object.keys(created.body.fields)]).toEqual([422, [field]]);
    const edited = await stage().send(sender, 'PATCH', packagePath, { body: { [field]: value } });
    expect([edited.status, Object.keys(edited.body.fields)]).toEqual([422, [field]]);
  });

  it.each([
    ['_id', 'KY-000001'],
    ['_id', 7],
    ['senderId', 'me'],
  ])('%s %j of a new package is refused', async (field, value) => {
    const body = packageBody({ [field]: value });
    const answer = await stage().send(sender, 'POST', '/api/packages', { body });
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([422, [field]]);
  });

  it.each([
    ['deliveryStatus', 'flying'],
    ['deliveryStatus', ''],
    ['deliveryStatus', '  '],
    ['deliveryStatus', null],
    ['deliveryStatus', 'x'.repeat(5000)],
    ['deliveryPersonId', 'me'],
    ['deliveryPersonId', ''],
    ['paymentStatus', 'maybe'],
    ['baseVersion', -1],
    ['baseVersion', '1'],
    ['senderId', randomUUID()],
    ['packageId', 'KY-000001'],
  ])('%s %j of a patch is refused', async (field, value) => {
    const answer = await stage().send(sender, 'PATCH', packagePath, { body: { [field]: value } });
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([422, [field]]);
  });

  it.each([
    ['firstName', ''],
    ['lastName', 'x'.repeat(81)],
    ['email', 'nobody'],
    ['email', `${'x'.repeat(250)}@kaya.test`],
    ['phoneNumber', 'phone'],
    ['address', 'x'.repeat(301)],
    ['password', 'short'],
    ['password', 'x'.repeat(201)],
    ['roles', []],
    ['roles', ['King']],
    ['balance', 1_000_000],
    ['active', 'yes'],
  ])('%s %j of a user is refused', async (field, value) => {
    const body = { id: sender.id, [field]: value };
    const answer = await stage().send(sender, 'PATCH', '/api/users', { body });
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([422, [field]]);
  });

  it.each([
    ['email', 'a@b', 'Please enter a valid email address.'],
    ['password', '1234567', 'Password must be at least 8 characters.'],
    ['role', 'Courier', 'Must be Customer or Employee.'],
  ])('%s %j of a sign-up is refused in the words of the contract', async (field, value, words) => {
    const body = {
      email: 'new@kaya.test',
      password: goodPassword,
      role: 'Customer',
      [field]: value,
    };
    const answer = await stage().send(null, 'POST', '/api/auth/signup', { body });
    expect([answer.status, answer.body.fields]).toEqual([422, { [field]: words }]);
  });

  it('keep what people write: emoji, right-to-left text, markup and quotes', async () => {
    const strange = 'مرحبا 🎁 <script>alert(1)</script> \'; drop table packages; -- "';
    const pkg = await createdPackage(stage(), sender, { description: strange, notes: 'a\nb\tc' });
    expect([pkg.description, pkg.notes]).toEqual([strange, 'a\nb\tc']);
  });
});

describe('a query', () => {
  const money = '/api/payments';
  const refusals: [string, string][] = [
    [`/api/packages?since=${'x'.repeat(9000)}`, 'since'],
    [`/api/users?since=${'x'.repeat(9000)}`, 'since'],
    ['/api/packages?since=a&since=b', 'since'],
    ['/api/users?since=&since=', 'since'],
    ...['0', '101', '-1', 'ten', '', '1e1', '1&limit=2'].map((limit): [string, string] => [
      ...([`${money}?limit=${limit}`, 'limit'] as const),
    ]),
    ...['x', '', '-1', '99999999999999999', '1&before=2'].map((before): [string, string] => [
      ...([`${money}?before=${before}`, 'before'] as const),
    ]),
  ];

  it.each(refusals)('that cannot be meant is refused at its field: %s', async (url, field) => {
    const answer = await stage().send(sender, 'GET', url);
    expect([answer.status, answer.body.code]).toEqual([422, 'invalid_fields']);
    expect(Object.keys(answer.body.fields)).toEqual([field]);
    expect(answer.body.fields[field]?.length).toBeGreaterThan(5);
  });

  it('with what nobody knows is answered as without it', async () => {
    for (const list of ['/api/packages', '/api/users', money]) {
      const [plain, more] = [
        await stage().send(sender, 'GET', list),
        await stage().send(sender, 'GET', `${list}?_=1795255032095&__proto__=x&constructor=y`),
      ];
      expect([more.status, more.text]).toEqual([200, plain.text]);
    }
  });

  it('with a cursor that is none begins a new series', async () => {
    for (const since of ['nonsense', '%00', '%F0%9F%8E%81', 'e30']) {
      const answer = await stage().send(sender, 'GET', `/api/packages?since=${since}`);
      expect([answer.status, answer.headers['sync-reset']]).toEqual([200, 'true']);
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
  ] as const)('%s %s is not found, as JSON', async (method, path) => {
    const answer = await stage().send(sender, method, path);
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
  });
});
