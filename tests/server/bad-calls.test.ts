/** What every call of the table refuses, whatever it is for: bodies, proofs, queries and headers. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { pathOf, type Route, routes } from '#contract/routes.ts';
import { fileStage, type Person } from './stage.ts';

const stage = fileStage();
let people: Person[];

beforeAll(async () => {
  people = [
    await stage().person('Customer'),
    await stage().person('Employee'),
    await stage().admin(),
  ];
});

const rows = Object.entries(routes as Record<string, Route>);
const withBody = rows.filter(([, { body }]) => body);
const withBearer = rows.filter(([, { proof }]) => proof === 'bearer');
const withParams = rows.filter(([, { params }]) => params);

const urlOf = ({ path }: Route, id = randomUUID()) => pathOf(path, { id, reference: id });

async function outcome(
  route: Route,
  how: { body?: unknown; headers?: Record<string, string> },
  who: Person | null | undefined = people[0],
  url = urlOf(route),
) {
  // A body for a call that has no such thing is let pass where it can be read.
  const answer = await stage().send(who ?? null, route.method, url, how);
  return [answer.status, answer.body?.code];
}

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

describe.each(withBody)('%s', (_, route) => {
  it.each([
    ['cut short', '{"email":'],
    ['text', 'nonsense'],
    ['nothing', ''],
    ['a list', '[]'],
    ['null', 'null'],
    ['a number', '42'],
    ['a poisoned prototype', '{"__proto__":{"isAdmin":true}}'],
    ['a poisoned constructor', '{"constructor":{"prototype":{"isAdmin":true}}}'],
    ['nested 20,000 deep', nested(20_000)],
  ])('calls a body that is %s malformed', async (__, body) => {
    const headers = { 'content-type': 'application/json' };
    for (const who of people) {
      expect(await outcome(route, { body, headers }, who)).toEqual([400, 'malformed']);
    }
  });

  it('names unknown fields, those of every object in JavaScript too', async () => {
    for (const field of ['isAdmin', 'toString', 'hasOwnProperty', 'constructor', '$where']) {
      const body = { [field]: 1 };
      const answer = await stage().send(people[0] ?? null, route.method, urlOf(route), { body });
      expect([answer.status, answer.body.code]).toEqual([422, 'invalid_fields']);
      expect(Object.hasOwn(answer.body.fields, field), field).toBe(true);
    }
  });

  it('refuses each field of a wrong type at its name', async () => {
    const { entries } = route.body as unknown as { entries: Record<string, unknown> };
    for (const field of Object.keys(entries)) {
      for (const value of [{ a: 1 }, [[1]], 'nul\u0000']) {
        const body = { [field]: value };
        const answer = await stage().send(people[0] ?? null, route.method, urlOf(route), { body });
        expect([field, answer.status]).toEqual([field, 422]);
      }
    }
  });

  it('refuses what is too large and what is no JSON', async () => {
    const huge = { description: 'x'.repeat(70_000) };
    expect(await outcome(route, { body: huge })).toEqual([413, 'too_large']);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const how = { body: 'a=b', headers: { 'content-type': type } };
      expect(await outcome(route, how)).toEqual([415, 'unsupported_media']);
    }
  });
});

describe.each(withBearer)('%s', (_, route) => {
  it('asks who is calling before anything else', async () => {
    expect(await outcome(route, {}, null)).toEqual([401, 'unauthenticated']);
    for (const authorization of ['Bearer', 'Basic YTpi', 'Bearer a b', 'x'.repeat(8000)]) {
      const refused = await outcome(route, { headers: { authorization } }, null);
      expect(refused).toEqual([401, 'unauthenticated']);
    }
    for (const token of ['nonsense', 'a.b.c', `${people[0]?.token}x`]) {
      const headers = { authorization: `Bearer ${token}` };
      expect(await outcome(route, { headers }, null)).toEqual([401, 'session_expired']);
    }
  });

  it('refuses an Idempotency-Key that is none, where it takes one', async () => {
    if (route.method === 'GET') return;
    for (const key of ['', 'two words', 'x'.repeat(201)]) {
      const headers = { 'idempotency-key': key };
      expect(await outcome(route, { headers })).toEqual([422, 'invalid_fields']);
    }
  });
});

describe.each(withParams)('%s', (_, route) => {
  it('does not find what is not there', async () => {
    const body = route.body ? { notes: 'x' } : undefined;
    for (const id of ['1', ' ', '..', '%', '\u0000', 'é', "' or 1=1", 'x'.repeat(400)]) {
      const url = `/${route.path.split('/').slice(1, -1).join('/')}/${encodeURIComponent(id)}`;
      const refused = await outcome(route, { body }, people[2], id === '..' ? `${url}%2f` : url);
      expect([id, ...refused]).toEqual([id, 404, 'not_found']);
    }
    expect(await outcome(route, { body }, people[2])).toEqual([404, 'not_found']);
  });
});

describe('a query', () => {
  it.each([
    '/api/packages?since=nonsense',
    '/api/users?since=%00',
    `/api/packages?since=${'x'.repeat(9000)}`,
    '/api/packages?since=a&since=b',
    '/api/payments?limit=0',
    '/api/payments?limit=101',
    '/api/payments?limit=-1',
    '/api/payments?limit=ten',
    '/api/payments?before=x',
    '/api/payments?before=99999999999999999',
  ])('that cannot be meant is refused at its field: %s', async (url) => {
    const answer = await stage().send(people[0] ?? null, 'GET', url);
    const reset = answer.status === 200 && answer.headers['sync-reset'] === 'true';
    // A cursor that is not of this server begins a new series instead.
    expect([reset ? 422 : answer.status]).toEqual([422]);
    if (!reset) expect(Object.keys(answer.body.fields)).toHaveLength(1);
  });
});
