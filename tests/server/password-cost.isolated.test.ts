/** A password digest takes a processor 20 ms: it is computed only where necessary. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import * as passwords from '#server/modules/auth/passwords.ts';
import { limitsPer } from '#server/plugins/rate-limits.ts';
import { fileStage, goodPassword, type Person, packageBody } from './stage.ts';

vi.mock('#server/modules/auth/passwords.ts', async (importOriginal) => {
  const original = await importOriginal<typeof passwords>();
  return {
    ...original,
    hashPassword: vi.fn(original.hashPassword),
    passwordDigest: vi.fn(original.passwordDigest),
  };
});

const stage = fileStage({ RATE_LIMIT: 'on' });
const spent = () =>
  vi.mocked(passwords.passwordDigest).mock.calls.length +
  vi.mocked(passwords.hashPassword).mock.calls.length;
const keyed = { 'idempotency-key': 'a-key' };
const newcomer = {
  email: 'new@kaya.test',
  firstName: 'Sani',
  lastName: 'Bello',
  phoneNumber: '0803 123 4567',
  roles: ['Customer'],
};
let person: Person;

beforeEach(async () => {
  person = await stage().person('Customer');
  vi.clearAllMocks();
});

describe('a password under an Idempotency-Key', () => {
  it.each([
    ['of a call that takes none', 'POST', '/api/packages', packageBody(), 422],
    ['of a call that only admins may make', 'POST', '/api/users', newcomer, 403],
    ['with invalid fields', 'PATCH', '/api/users', { id: 'nobody', extra: 1 }, 422],
  ] as const)('%s is refused without hashing, repeated or not', async (_, method, path, fields, status) => {
    const body = { ...fields, password: goodPassword };
    for (const _ of [1, 2]) {
      const answer = await stage().send(person, method, path, { body, headers: keyed });
      expect([answer.status, spent()]).toEqual([status, 0]);
    }
  });

  it('is rate limited before it is hashed, repeated or not', async () => {
    const { max } = limitsPer.changePassword.account;
    const change = async () => {
      const body = { id: person.id, password: 'a-new-password' };
      return (await stage().send(person, 'PATCH', '/api/users', { body, headers: keyed })).status;
    };
    for (let n = 0; n < max; n += 1) expect(await change()).toBe(200);
    const before = spent();
    expect([await change(), spent()]).toEqual([429, before]);
  });
});
