/** A token's signature is checked once; whether it still holds is asked each time. */
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

it('a token seen before is refused from the second on in which it expires, and for good', async () => {
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

it('a token seen before says nothing for one that differs from it anywhere', async () => {
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
