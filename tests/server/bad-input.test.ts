/** Every call with what it should refuse: the right 4xx, in the shape of the contract, never a 5xx. */
import { randomUUID } from 'node:crypto';
import { parse } from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorBodySchema } from '#contract/errors.ts';
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

type Method = 'POST' | 'PATCH';

const calls = (): [Method, string][] => [
  ['POST', '/api/auth/signup'],
  ['POST', '/api/auth/login'],
  ['POST', '/api/packages'],
  ['PATCH', packagePath],
  ['PATCH', '/api/users'],
];

async function refused(method: Method, path: string, body: unknown, headers = {}) {
  const answer = await stage().send(sender, method, path, { body, headers });
  parse(errorBodySchema, answer.body);
  return [answer.status, answer.body.code];
}

describe('a body that cannot be read', () => {
  it.each([
    '{"email":',
    'nonsense',
    '',
    '[]',
    'null',
    '"text"',
    '42',
    '{"__proto__":{"x":1}}',
  ])('%j is malformed', async (body) => {
    for (const [method, path] of calls()) {
      expect([path, ...(await refused(method, path, body))]).toEqual([path, 400, 'malformed']);
    }
  });

  it('of another media type is unsupported', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml']) {
      for (const [method, path] of calls()) {
        const outcome = await refused(method, path, 'a=b', { 'content-type': type });
        expect([path, ...outcome]).toEqual([path, 415, 'unsupported_media']);
      }
    }
  });

  it('of more than 64 kB is too large', async () => {
    const body = { description: 'x'.repeat(70_000) };
    for (const [method, path] of calls()) {
      expect([path, ...(await refused(method, path, body))]).toEqual([path, 413, 'too_large']);
    }
  });
});

describe('fields', () => {
  it('that nobody knows are refused, each by its name', async () => {
    for (const [method, path] of calls()) {
      const answer = await stage().send(sender, method, path, { body: { isAdmin: true } });
      expect([path, answer.status]).toEqual([path, 422]);
      expect(answer.body.fields.isAdmin).toBe('This field is not known here.');
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

describe('ids and paths', () => {
  it.each([
    '1',
    'KY-000001',
    '%00',
    '%zz',
    '..%2f..%2fetc',
    'x'.repeat(500),
    randomUUID(),
  ])('a package %j is not found by any call', async (id) => {
    for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
      const body = method === 'PATCH' ? { notes: 'x' } : undefined;
      const answer = await stage().send(sender, method, `/api/packages/${id}`, { body });
      parse(errorBodySchema, answer.body);
      expect([method, answer.status, answer.body.code]).toEqual([method, 404, 'not_found']);
    }
  });

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

  it('needs somebody signed in before it looks at anything', async () => {
    for (const [method, path] of calls().filter(([, path]) => !path.startsWith('/api/auth'))) {
      const answer = await stage().send(null, method, path, { body: { nonsense: 1 } });
      expect([path, answer.status, answer.body.code]).toEqual([path, 401, 'unauthenticated']);
    }
  });
});
