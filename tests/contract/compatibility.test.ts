/**
 * Pages and servers of every supported contract, in every pairing. Each contract's document is
 * stored as it was when the contract began, without later additions.
 */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contractVersion, oldestSpoken } from '#contract/version.ts';
import type { Document } from '#server/modules/openapi/document.ts';
import { allowedBy } from './json-schema-values.ts';
import {
  answerSchema,
  bodySchema,
  compile,
  compilerOf,
  document as current,
  operations,
} from './open-api.ts';

const spoken = Array.from(
  { length: contractVersion - oldestSpoken + 1 },
  (_, index) => oldestSpoken + index,
);

const documentOf = (version: number): Document =>
  JSON.parse(readFileSync(`tests/contract/spoken/contract-${version}.json`, 'utf8'));

const runs = { numRuns: 40 };

describe.each(spoken)('contract %i', (version) => {
  const former = documentOf(version);
  const compileFormer = compilerOf(former.components);
  const pairs = Object.entries(former.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...{ name: `${method} ${path}`, before: operation },
      now: operations.find((each) => each.path === path && each.method === method),
    })),
  );

  it.each(pairs)("$name: the server accepts the page's requests", ({ before, now }) => {
    if (!now) throw new Error('The server knows this call no more.');
    const [sent, taken] = [bodySchema(before), bodySchema(now)];
    if (!sent) return expect(taken).toBeUndefined();
    if (!taken) throw new Error('The server takes no body for it.');
    const complain = compile(taken);
    fc.assert(
      fc.property(allowedBy(sent, former), (body) => {
        expect(complain(body)).toBe('');
      }),
      runs,
    );
  });

  it.each(pairs)("$name: the server's answers have everything the page reads", ({
    before,
    now,
  }) => {
    const [read, answered] = [answerSchema(before), now && answerSchema(now)];
    if (!read) return expect(answered).toBeUndefined();
    if (!answered) throw new Error('The server answers nothing to it.');
    const complain = compileFormer(read);
    fc.assert(
      fc.property(allowedBy(answered, current), (answer) => {
        expect(complain(answer)).toBe('');
      }),
      runs,
    );
  });
});
