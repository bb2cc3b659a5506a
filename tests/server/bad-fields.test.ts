/** Invalid values of body fields, queries and paths are refused under the field's name. */
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
  it.each(withBody)('of a wrong type are refused by name: %s', async (_, route) => {
    const { entries } = route.body as unknown as { entries: Record<string, unknown> };
    const path = route.path.includes(':') ? packagePath : route.path;
    for (const field of Object.keys(entries)) {
      // A password is any text: it is never displayed and stored only as a hash.
      const text = field === 'password' ? [] : ['nul\u0000'];
      for (const value of [{ a: 1 }, [[1]], ...text]) {
        const body = { [field]: value };
        const answer = await stage().send(sender, route.method, path, { body });
        expect([field, value, answer.status]).toEqual([field, value, 422]);
        expect(answer.body.fields[field]?.length, field).toBeGreaterThan(5);
      }
    }
  });

  it.each(withBody)('that are unknown are refused by name: %s', async (_, route) => {
    const path = route.path.includes(':') ? packagePath : route.path;
    for (const field of ['isAdmin', 'constructor', '$where']) {
      const answer = await stage().send(sender, route.method, path, { body: { [field]: 1 } });
      expect([answer.status, answer.body.fields[field]]).toEqual([
        422,
        'This field is not known here.',
      ]);
    }
  });

  const price = 'priceOffer';
  /** One case for each kind of rule; the rules themselves: tests/contract/schemas.test.ts. */
  const cases: [string, unknown][] = [
    ['pickupAddress', '   '],
    ['pickupAddress', null],
    ['pickupAddress', 'x'.repeat(301)],
    ['pickupAddress', 'two\nlines'],
    ['recipientName', 'nul\u0000byte'],
    ['recipientPhone', '123'],
    ['recipientEmail', 'not-an-email'],
    ['notes', 'escape\u001b[2J'],
    ['pickupDate', '2026-13-45T00:00:00Z'],
    ['deliveryDate', '0001-01-01T00:00:00Z'],
    [price, 0],
    [price, 0.001],
    [price, 10_000_001],
    ['pickupLocation', { lat: 91, lng: 8 }],
    ['deliveryLocation', '12, 8'],
    ['paymentMethod', 'Cash'],
  ];

  it.each(cases)('%s %j is refused on create and on edit', async (field, value) => {
    const created = await stage().send(sender, 'POST', '/api/packages', {
      body: packageBody({ [field]: value }),
    });
    expect([created.status, Object.keys(created.body.fields)]).toEqual([422, [field]]);
    const edited = await stage().send(sender, 'PATCH', packagePath, { body: { [field]: value } });
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
    const [path, id] = what === 'package' ? [packagePath, {}] : ['/api/users', { id: sender.id }];
    const answer = await stage().send(sender, 'PATCH', path, { body: { ...id, [field]: value } });
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([422, [field]]);
  });

  it.each([
    ['email', 'a@b', 'Please enter a valid email address.'],
    ['password', '1234567', 'Password must be at least 8 characters.'],
    ['role', 'Admin', 'Must be Customer or Employee.'],
  ])("%s %j in a sign-up is refused with the contract's message", async (field, value, words) => {
    const body = {
      email: 'new@kaya.test',
      password: goodPassword,
      role: 'Customer',
      [field]: value,
    };
    const answer = await stage().send(null, 'POST', '/api/auth/signup', { body });
    expect([answer.status, answer.body.fields]).toEqual([422, { [field]: words }]);
  });

  it('keep emoji, right-to-left text, markup and quotes', async () => {
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

  it.each(refusals)('with an invalid value is refused under its name: %s', async (url, field) => {
    const answer = await stage().send(sender, 'GET', url);
    expect([answer.status, answer.body.code]).toEqual([422, 'invalid_fields']);
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
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
  });
});
