/** The document at /api/docs: complete, valid, and consistent with its source schemas. */
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { createPackageSchema, patchPackageSchema } from '#contract/package.ts';
import { type Route, routes } from '#contract/routes.ts';
import { eventsPath } from '#contract/stream.ts';
import { errorCatalogue } from '#server/http/error-catalogue.ts';
import { escapeHtml } from '#server/http/page.ts';
import { buildDocument, templateOf } from '#server/modules/openapi/document.ts';
import { pageOf } from '#server/modules/openapi/page.ts';
import { createBody, ids } from '#tests/builders/package.ts';
import { allowedBy } from './json-schema-values.ts';
import {
  answerSchema,
  bodySchema,
  compile,
  type Documented,
  document,
  operations,
} from './open-api.ts';

const table: Record<string, Route> = routes;
const rows = Object.entries(table);

function operationOf(name: string) {
  const found = operations.find(({ operationId }) => operationId === name);
  if (!found) throw new Error(`${name} is not in the document.`);
  return found;
}

describe('the document', () => {
  const documented = ({ operationId, method, path, security, parameters }: Documented) => ({
    operationId,
    method,
    path,
    security,
    isKeyed: parameters.some(({ name }) => name === 'idempotency-key'),
  });
  const events = { path: eventsPath, method: 'GET', proof: 'bearer' } as const;

  it('has every route of the table and the events with their proof, and keys for mutations', () => {
    const expected = [...rows, ['events', events] as const].map(
      ([operationId, { method, path, proof, ...route }]) => ({
        operationId,
        method: method.toLowerCase(),
        path: templateOf(path),
        security: proof === 'none' ? [] : [{ [proof]: [] }],
        // Bytes have an id of their own.
        isKeyed: proof === 'bearer' && method !== 'GET' && !('takes' in route),
      }),
    );
    const byId = (one: { operationId: string }, other: { operationId: string }) =>
      one.operationId.localeCompare(other.operationId);
    expect(operations.map(documented).sort(byId)).toEqual(expected.sort(byId));
    expect(document.openapi).toBe('3.1.0');
  });

  it('declares each parameter, security scheme and tag it uses', () => {
    const tags = document.tags.map(({ name }) => name);
    for (const { path, parameters, security, tags: used, operationId } of operations) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const named = parameters.filter((parameter) => parameter.in === 'path');
      expect([operationId, named.map(({ name }) => name)]).toEqual([operationId, inPath]);
      expect(named.every(({ required }) => required)).toBe(true);
      for (const proof of security.flatMap((choice) => Object.keys(choice))) {
        expect(document.components.securitySchemes).toHaveProperty(proof);
      }
      expect(tags).toEqual(expect.arrayContaining(used));
    }
  });

  it('explains each field of a patch of a package beyond those of a create', () => {
    const fields = Object.keys(patchPackageSchema.entries);
    const own = fields.filter((field) => !(field in createPackageSchema.entries));
    const { description } = operationOf('patchPackage');
    expect(own.filter((field) => !description?.includes(`\`${field}\``))).toEqual([]);
  });

  it('has schemas that a strict validator compiles', () => {
    const schemas = [
      ...Object.values(document.components.schemas),
      ...operations.flatMap((operation) => [
        ...operation.parameters.map(({ schema }) => schema),
        ...[bodySchema(operation), answerSchema(operation)].flatMap((schema) => schema ?? []),
      ]),
    ];
    expect(schemas.length).toBeGreaterThan(40);
    for (const schema of schemas) expect(compile(schema)).toBeTypeOf('function');
  });
});

describe('the document and the schemas', () => {
  const inJson = rows.filter(([, { gives }]) => !gives);
  it.each(inJson)('%s: the schema accepts answers the document allows', (name, route) => {
    const schema = answerSchema(operationOf(name));
    if (!schema) throw new Error('No schema of the answer.');
    const complaintOf = compile(schema);
    fc.assert(
      fc.property(allowedBy(schema, document), (value) => {
        expect(complaintOf(value)).toBe('');
        expect(v.safeParse(route.answer, value).issues).toBeUndefined();
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    ['createPackage', createBody, true],
    ['createPackage', { ...createBody, _id: ids.package, senderId: ids.sender }, true],
    ['createPackage', { ...createBody, priceOffer: '1500' }, false],
    ['createPackage', { ...createBody, priceOffer: 10_000_001 }, false],
    ['createPackage', { ...createBody, paymentMethod: 'barter' }, false],
    ['createPackage', { ...createBody, description: 'x'.repeat(1001) }, false],
    ['createPackage', { ...createBody, _id: `urn:uuid:${ids.package}` }, false],
    ['patchPackage', {}, true],
    ['patchPackage', { deliveryPersonId: null, deliveryStatus: 'Pending' }, true],
    ['patchPackage', { baseVersion: 1.5 }, false],
    ['login', { email: 'a@b.ng' }, false],
    ['signUp', { email: 'a@b.ng', password: 'long-enough', role: 'Admin' }, false],
    ['patchUser', { id: ids.sender, roles: ['Admin'] }, true],
    ['patchUser', { roles: ['Admin'] }, false],
    ['adjustBalance', { id: ids.sender, amount: -100, reason: 'A mistake' }, true],
    ['initiatePayment', { email: 'a@b.ng', amount: 100 }, true],
    ['initiatePayment', { email: 'a@b.ng', amount: 99 }, false],
  ] as const)('agree on a body of %s: %j', (name, value, isGood) => {
    const schema = bodySchema(operationOf(name));
    if (!schema) throw new Error('No schema of the body.');
    expect([compile(schema)(value) === '', v.safeParse(routes[name].body, value).success]).toEqual([
      isGood,
      isGood,
    ]);
  });
});

describe('the page', () => {
  it('shows every call and every error without scripts', () => {
    const { html: page, policy } = pageOf(document);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|script-src/);
    for (const { operationId, path } of operations) {
      expect(page).toContain(`id="${operationId}"`);
      expect(page).toContain(escapeHtml(path));
    }
    for (const code of Object.keys(errorCatalogue)) expect(page).toContain(`<code>${code}</code>`);
    expect(page).not.toMatch(/<script|javascript:|\son\w+=/i);
    expect(page).toContain('width=device-width');
    expect(page).toContain('prefers-color-scheme: dark');
  });

  it("escapes the table's text", () => {
    const nasty = `<script>alert('1')</script>"&`;
    const login = { ...routes.login, path: `/api/${nasty}` };
    const { html: page } = pageOf(buildDocument({ [nasty]: login }));
    expect(page).not.toContain('<script>');
    expect(page).toContain('&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&quot;&amp;');
  });
});
