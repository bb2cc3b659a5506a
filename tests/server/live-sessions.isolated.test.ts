/** Changes to a user while they are signed in or signing in. */
import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Role } from '#contract/user.ts';
import { readUserInfo } from '#domain/token.ts';
import { codeOf, fileStage, goodPassword, outcomeOf, type Person, refresh } from './stage.ts';

/** Counts password verifications and lets a test act right after one. */
const verification = vi.hoisted(() => ({ count: 0, after: async () => {} }));
vi.mock('#server/modules/auth/passwords.ts', async (importOriginal) => {
  const real = await importOriginal<typeof import('#server/modules/auth/passwords.ts')>();
  return {
    ...real,
    isPassword: async (passwordHash: string, password: string) => {
      const isRight = await real.isPassword(passwordHash, password);
      verification.count += 1;
      await verification.after();
      return isRight;
    },
  };
});

const stage = fileStage();
let admin: Person;
beforeAll(async () => {
  admin = await stage().admin();
});
beforeEach(() => {
  verification.count = 0;
  verification.after = async () => {};
});

const change = (id: string, changes: object) => stage().edit(admin, { id, ...changes });
const login = (email: string, password = goodPassword) =>
  stage().send(null, 'POST', '/api/auth/login', { body: { email, password } });

const inactive = [403, 'account_inactive'];
const expired = [401, 'session_expired'];

describe('after a deactivation', () => {
  it('calls and refreshes of the ended sessions keep giving the reason', async () => {
    const person = await stage().person('Employee');
    const other = await stage().signIn(person.email);
    expect((await change(person.id, { active: false })).status).toBe(200);
    for (const { token, cookie } of [person, other]) {
      const again = { ...person, token };
      expect(outcomeOf(await stage().send(again, 'GET', '/api/packages'))).toEqual(inactive);
      const edited = await stage().edit(again, { id: person.id, firstName: 'Sani' });
      expect(outcomeOf(edited)).toEqual(inactive);
      for (const _ of ['once', 'twice']) {
        expect(outcomeOf(await refresh(stage(), cookie))).toEqual(inactive);
      }
    }
  });

  it('and reactivation the old sessions stay ended, and a new one works', async () => {
    const person = await stage().person('Employee');
    await change(person.id, { active: false });
    await change(person.id, { active: true });
    expect(outcomeOf(await stage().send(person, 'GET', '/api/packages'))).toEqual(expired);
    expect(outcomeOf(await refresh(stage(), person.cookie))).toEqual(expired);
    const again = await stage().signIn(person.email);
    expect((await stage().send(again, 'GET', '/api/packages')).status).toBe(200);
  });

  it('it is not disclosed without the password or a token of the account', async () => {
    const person = await stage().person('Customer');
    await change(person.id, { active: false });
    expect(await codeOf(login(person.email, 'a-wrong-guess'))).toBe('wrong_password');
    expect(outcomeOf(await refresh(stage(), `kaya_refresh=${'x'.repeat(43)}`))).toEqual(expired);
    const [head, payload] = person.token.split('.');
    const forged = { ...person, token: `${head}.${payload}.${'x'.repeat(43)}` };
    expect(outcomeOf(await stage().send(forged, 'GET', '/api/users'))).toEqual(expired);
    expect(outcomeOf(await login(person.email))).toEqual(inactive);
  });
});

describe('a change of role', () => {
  const rolesOf = (token: string): Role[] => readUserInfo(token).roles;

  it('keeps the session: the next call has the new rights, the next token carries them', async () => {
    const pkg = await stage().created(await stage().person('Customer'));
    const person = await stage().person('Employee');
    const see = () => stage().send(person, 'GET', `/api/packages/${pkg._id}`);
    expect((await see()).status).toBe(200);
    expect((await change(person.id, { roles: ['Customer'] })).status).toBe(200);
    expect(await codeOf(see())).toBe('not_found');
    expect(rolesOf(person.token)).toEqual(['Employee']);
    const refreshed = await refresh(stage(), person.cookie);
    expect([refreshed.status, rolesOf(refreshed.body.accessToken)]).toEqual([200, ['Customer']]);
  });
});

describe('signing in', () => {
  it('verifies one password for a known, unknown or deactivated e-mail', async () => {
    const [person, gone] = await stage().people('Customer', 'Customer');
    await change(gone.id, { active: false });
    const asked: [string, string, unknown[]][] = [
      [person.email, goodPassword, [200, undefined]],
      [person.email, 'a-wrong-guess', [401, 'wrong_password']],
      [`${randomUUID()}@kaya.test`, goodPassword, [404, 'email_unknown']],
      [gone.email, goodPassword, inactive],
    ];
    for (const [email, password, outcome] of asked) {
      verification.count = 0;
      expect(outcomeOf(await login(email, password))).toEqual(outcome);
      expect(verification.count).toBe(1);
    }
  });

  it.each([
    ['the password changes', { password: 'another-one' }, [401, 'wrong_password']],
    ['the account is deactivated', { active: false }, inactive],
  ])('opens no session if %s after verification', async (_, changes, outcome) => {
    const person = await stage().person('Customer');
    verification.after = async () => {
      expect((await change(person.id, changes)).status).toBe(200);
    };
    expect(outcomeOf(await login(person.email))).toEqual(outcome);
  });
});
