import { describe, expect, it } from 'vitest';
import type { Operation } from '#domain/operation.ts';
import { detailsOf, subjectOf } from '#features/outbox/subject.ts';
import { aPackage, ids, operationBase } from '#tests/builders/package.ts';

const accept = {
  ...operationBase(),
  name: 'acceptPackage',
  targetId: ids.package,
  args: {
    courier: { _id: ids.courier, firstName: 'Sani', lastName: '', email: null, phoneNumber: null },
  },
} as Operation;
const create = {
  ...operationBase(),
  name: 'createPackage',
  targetId: ids.package,
  args: { description: 'A crate of kola nuts' },
} as Operation;

describe('a change says which package it is about', () => {
  it('by number and description where the phone has it', () => {
    expect(subjectOf(accept, aPackage())).toBe('KY-000001 · Two bolts of indigo cloth');
  });

  it('by what was typed where the package was never created', () => {
    expect(subjectOf(create, null)).toBe('A crate of kola nuts');
  });

  it('and says so where the phone has lost it', () => {
    expect(subjectOf(accept, null)).toMatch(/^No longer on this phone/);
  });

  it('and can be copied whole for somebody who can help', () => {
    const lastError = { code: 'conflict', message: 'Someone else', status: 409, at: '' };
    const text = detailsOf({ ...create, lastError }, 'A crate of kola nuts');
    for (const part of ['Create package', 'Someone else (409 conflict)', ids.package, create.id]) {
      expect(text).toContain(part);
    }
  });
});
