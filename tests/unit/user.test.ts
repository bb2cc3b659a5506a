import { describe, expect, it } from 'vitest';
import { InvalidTokenError, readUserInfo } from '#domain/token.ts';
import { displayName, isProfileComplete, nobody, roleOf } from '#domain/user.ts';

const encode = (payload: unknown) =>
  `e30.${Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload)).toString('base64url')}.sig`;

const userInfo = {
  id: '1',
  email: 'amina@kaya.test',
  roles: ['Employee'],
  firstName: 'Ámina',
  lastName: 'Bẹ́llo ₦',
};

describe('the access token', () => {
  it('carries the user-info section, in any script', () => {
    expect(readUserInfo(encode({ userInfo, exp: 1 }))).toEqual(userInfo);
  });

  it('drops unknown roles', () => {
    const roles = ['Auditor', 'Employee'];
    expect(readUserInfo(encode({ userInfo: { ...userInfo, roles } })).roles).toEqual(['Employee']);
  });

  it.each([null, undefined, ''])('%j has no user', (token) => {
    expect(readUserInfo(token)).toEqual(nobody);
  });

  it.each([
    ['a number', 42],
    ['no payload part', 'abc'],
    ['invalid base64', 'a.*!*.c'],
    ['invalid JSON', encode('{"userInfo":')],
    ['invalid UTF-8', `a.${Buffer.from([0xff, 0xfe]).toString('base64url')}.c`],
    ['another shape', encode({ user: userInfo })],
    ['roles that are not an array', encode({ userInfo: { ...userInfo, roles: 'Admin' } })],
  ])('with %s is invalid', (_, token) => {
    expect(() => readUserInfo(token)).toThrow(InvalidTokenError);
  });
});

describe('roles', () => {
  it.each([
    [[], 'Customer'],
    [['Customer'], 'Customer'],
    [['Customer', 'Employee'], 'Employee'],
    [['Admin', 'Employee'], 'Admin'],
    [['Employee', 'Admin', 'Customer'], 'Admin'],
  ])('%j counts as %s', (roles, role) => {
    expect(roleOf(roles)).toBe(role);
  });
});

describe('the display name', () => {
  it.each([
    [{ firstName: 'Amina', lastName: 'Bello', email: 'a@b.c' }, 'Amina Bello'],
    [{ firstName: 'Amina', lastName: ' ', email: 'a@b.c' }, 'Amina'],
    [{ firstName: '', lastName: '', email: 'a@b.c' }, 'a@b.c'],
    [{ firstName: '', lastName: '', email: null }, 'User'],
  ])('of %j is %s', (person, name) => {
    expect(displayName(person)).toBe(name);
  });
});

describe('a complete profile', () => {
  it.each([
    [{}, true],
    [{ phoneNumber: null }, false],
    [{ firstName: ' ' }, false],
    [{ lastName: '' }, false],
  ])('with %j: %s', (changes, isComplete) => {
    const whole = { firstName: 'A', lastName: 'B', phoneNumber: '0803 123 4567' };
    expect(isProfileComplete({ ...whole, ...changes })).toBe(isComplete);
  });
});
