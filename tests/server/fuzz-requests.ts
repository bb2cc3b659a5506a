/**
 * Requests generated from the OpenAPI document: valid, nearly valid and nonsensical bodies, queries
 * and paths, with ids of existing rows so that many succeed.
 */
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import type { Parameter } from '#server/modules/openapi/document.ts';
import { allowedBy, nearlyAllowedBy, nonsense } from '#tests/contract/json-schema-values.ts';
import { bodySchema, type Documented, document, operations } from '#tests/contract/open-api.ts';

/** A request with placeholders, filled with live ids when it is sent. */
export interface Draft {
  operation: Documented;
  body: unknown;
  query: Record<string, unknown>;
  /** 0 to 1: selects among the live rows. */
  dice: number[];
  nonce: string;
  wildText: string;
}

/** Calls that hash passwords take 20 ms; lists grow with the other calls' rows. */
const weights: Record<string, number> = {
  signUp: 2,
  login: 2,
  addUser: 6,
  patchUser: 4,
  listUsers: 3,
  listPackages: 6,
  initiatePayment: 5,
  verifyPayment: 16,
  createPackage: 12,
  patchPackage: 24,
  recordEvent: 26,
  putProof: 24,
  putPush: 24,
  putPosition: 12,
  getProof: 30,
  resetPassword: 3,
  forgotPassword: 4,
  sendConfirmation: 4,
  listSessions: 4,
  replaceTracking: 6,
  getTracking: 10,
  leaveNote: 24,
  trackedPhoto: 16,
  putBankAccount: 4,
  refresh: 4,
  logout: 3,
};

export const fuzzed = operations.filter(({ operationId }) => operationId !== 'events');

const wildText = fc.oneof(
  fc.string({ unit: 'grapheme-ascii', maxLength: 40 }),
  fc.constantFrom('%00', '..%2f..', "' or 1=1 --", 'x'.repeat(300), '%E0%A4%A', '[object Object]'),
);

function bodyOf(operation: Documented): fc.Arbitrary<unknown> {
  const schema = bodySchema(operation);
  if (!schema) return fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, nonsense);
  return fc.oneof(
    { weight: 6, arbitrary: allowedBy(schema, document) },
    { weight: 3, arbitrary: nearlyAllowedBy(schema, document) },
    { weight: 1, arbitrary: nonsense },
  );
}

function queryOf({ parameters }: Documented): fc.Arbitrary<Record<string, unknown>> {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const valueFor = ({ schema }: Parameter) =>
    fc.oneof({ weight: 3, arbitrary: allowedBy(schema, document) }, wildText);
  const shape = Object.fromEntries(
    inQuery.map((parameter) => [parameter.name, valueFor(parameter)]),
  );
  return fc.record(shape, { requiredKeys: [] });
}

/** Uniform: fast-check's own numbers are biased to the ends of the range. */
const die = fc.noBias(fc.integer({ min: 0, max: 9999 })).map((value) => value / 10_000);

const draftOf = (operation: Documented): fc.Arbitrary<Draft> =>
  fc.record({
    operation: fc.constant(operation),
    body: bodyOf(operation),
    query: queryOf(operation),
    dice: fc.array(die, { minLength: 8, maxLength: 8 }),
    nonce: fc.uuid({ version: 4 }),
    wildText,
  });

/** Deterministic for a seed. */
export function drafts(count: number, seed: number): Draft[] {
  const any = fc.oneof(
    ...fuzzed.map((operation) => ({
      weight: weights[operation.operationId] ?? 8,
      arbitrary: draftOf(operation),
    })),
  );
  return fc.sample(any, { numRuns: count, seed });
}

export function signatureOf(body: string, secretKey: string): string {
  return createHmac('sha512', secretKey).update(body).digest('hex');
}
