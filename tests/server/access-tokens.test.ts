/** A token's signature is verified once; its expiry is checked on every call. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { createAccessTokens } from '#server/modules/auth/access-tokens.ts';

const userInfo = {
  ...{ id: randomUUID(), email: 'ali@kaya.test', firstName: 'Ali', lastName: 'Musa' },
  roles: ['Employee' as const],
};
const sessionId = randomUUID();
const secret = 'a secret of at least 32 characters';

function clock() {
  let nowMs = Date.parse('2026-11-21T09:00:00.000Z');
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { now: () => new Date(nowMs), pass };
}

it('a cached token is refused from the second it expires', async () => {
  const { now, pass } = clock();
  const tokens = createAccessTokens(secret, now);
  const token = await tokens.sign(userInfo, sessionId);
  const claims = { userId: userInfo.id, sessionId };
  expect(await tokens.verify(token)).toEqual(claims);
  pass(15 * 60_000 - 1);
  expect(await tokens.verify(token)).toEqual(claims);
  pass(1);
  expect(await tokens.verify(token)).toBeNull();
  expect(await tokens.verify(token)).toBeNull();
});

it('a cached token does not validate a token that differs in any byte', async () => {
  const { now } = clock();
  const tokens = createAccessTokens(secret, now);
  const token = await tokens.sign(userInfo, sessionId);
  const other = await tokens.sign({ ...userInfo, id: randomUUID() }, sessionId);
  expect(await tokens.verify(token)).not.toBeNull();
  const [header = '', payload = '', signature = ''] = token.split('.');
  const foreign = other.split('.');
  for (const forged of [
    [header, foreign[1], signature],
    [header, payload, foreign[2]],
    [header, payload, ''],
    [header, payload],
  ]) {
    expect(await tokens.verify(forged.join('.'))).toBeNull();
  }
});
