import { expect, it } from 'vitest';
import { readLinkToken } from '#domain/link-token.ts';

const token = 'Zq3_-'.padEnd(43, '0');

it.each([
  [`#token=${token}`, token],
  [`#token=${token}&x=1`, token],
  [`#token=${token.slice(1)}`, null],
  [`#token=${token}0`, null],
  [`#token=${token.slice(1)}+`, null],
  [`#${token}`, null],
  ['#token=', null],
  ['', null],
])('of %j the token is %j', (fragment, read) => {
  expect(readLinkToken(fragment)).toBe(read);
});
