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

describe.each(spoken)('contract %i', (version) => {
  const former = documentOf(version);
  const compileFormer = compilerOf(former.components);
  const pairs = Object.entries(former.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method} ${path}`,
      before: operation,
      now: operations.find((each) => each.path === path && each.method === method),
    })),
  );

  it.each(pairs)('$name: each side accepts what the other may send', ({ before, now }) => {
    if (!now) throw new Error('The server knows this call no more.');
    const sides = [
      { sent: bodySchema(before), by: former, read: bodySchema(now), compiler: compile },
      { sent: answerSchema(now), by: current, read: answerSchema(before), compiler: compileFormer },
    ];
    for (const { sent, by, read, compiler } of sides) {
      expect(read === undefined).toBe(sent === undefined);
      if (!sent || !read) continue;
      const complain = compiler(read);
      fc.assert(
        fc.property(allowedBy(sent, by), (value) => {
          expect(complain(value)).toBe('');
        }),
        { numRuns: 40 },
      );
    }
  });
});
