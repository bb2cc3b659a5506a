import { randomUUID } from 'node:crypto';
import { parse } from 'valibot';
import { beforeEach, describe, expect, it } from 'vitest';
import { signUpAnswerSchema } from '#contract/auth.ts';
import { readUserInfo } from '#domain/token.ts';
import { sessions } from '#server/database/schema.ts';
import { ensureFirstAdmin } from '#server/modules/auth/first-admin.ts';
import { sessionsPerUser } from '#server/modules/auth/repository.ts';
import { cookieOf, fileStage, goodPassword, outcomeOf, type Person, refresh } from './stage.ts';

const stage = fileStage();
let person: Person;
beforeEach(async () => {
  person = await stage().person('Customer');
});
const secondMs = 1000;
const hourMs = 3_600_000;

/** Refreshes and returns the next cookie; throws if refused. */
async function next(cookie: string): Promise<string> {
  const answer = await refresh(stage(), cookie);
  expect(answer.status, answer.text).toBe(200);
  return cookieOf(answer);
}

async function isAlive(person: Person): Promise<boolean> {
  const { status } = await stage().send(person, 'GET', '/api/users');
  return status === 200;
}

describe('sign-up', () => {
  it('returns a token and the user, with the e-mail in lower case', async () => {
    const body = { email: ' Zainab@Kaya.Test ', password: goodPassword, role: 'Employee' };
    const answer = await stage().send(null, 'POST', '/api/auth/signup', { body });
    expect(answer.status).toBe(201);
    const { accessToken, user } = parse(signUpAnswerSchema, answer.body);
    const account = { email: 'zainab@kaya.test', roles: ['Employee'] };
    expect(user).toMatchObject({ ...account, status: 'Employee', active: true, balance: 0 });
    const named = { id: user._id, firstName: '', lastName: '' };
    expect(readUserInfo(accessToken)).toEqual({ ...account, ...named });
  });

  it('refuses a second account for an e-mail, ignoring case', async () => {
    const { email } = await stage().person('Customer');
    const body = { email: email.toUpperCase(), password: goodPassword, role: 'Customer' };
    const answer = await stage().send(null, 'POST', '/api/auth/signup', { body });
    expect(outcomeOf(answer)).toEqual([409, 'email_taken']);
  });
});

describe('sign-in', () => {
  it.each([
    [false, ''],
    [true, 'Max-Age=2592000; '],
  ])('sets an HttpOnly, SameSite cookie, trusted: %s', async (trustDevice, age) => {
    const { email } = await stage().person('Customer');
    const body = { email, password: goodPassword, trustDevice };
    const { headers } = await stage().send(null, 'POST', '/api/auth/login', { body });
    expect(headers['set-cookie']).toMatch(
      new RegExp(`^kaya_refresh=[\\w-]{43}; ${age}Path=/api/auth; HttpOnly; SameSite=Strict$`),
    );
  });
});

describe('more sessions than a user may have', () => {
  /** Rows of the same user, as old as told. */
  async function fill(userId: string, count: number, how: { revokedAt?: Date } = {}) {
    const createdAt = stage().now();
    const row = () => ({ id: randomUUID(), userId, isTrusted: false, createdAt, ...how });
    await stage()
      .db.insert(sessions)
      .values(Array.from({ length: count }, row));
  }

  it('a sign-in ends the session that was used longest ago, not the oldest', async () => {
    const phone = await stage().person('Employee');
    stage().pass(hourMs);
    const idle = await stage().signIn(phone.email);
    stage().pass(hourMs);
    const cookie = await next(phone.cookie);
    await fill(phone.id, sessionsPerUser - 2);
    await stage().signIn(phone.email);
    await next(cookie);
    expect((await refresh(stage(), idle.cookie)).status).toBe(401);
  });

  it('ended sessions go before live ones', async () => {
    const phone = await stage().person('Employee');
    stage().pass(hourMs);
    await fill(phone.id, sessionsPerUser, { revokedAt: stage().now() });
    await stage().signIn(phone.email);
    await next(phone.cookie);
  });
});

describe('refresh', () => {
  it('rotates: every answer carries a new token, and each works', async () => {
    let cookie = person.cookie;
    const seen = new Set([cookie]);
    for (let turn = 0; turn < 4; turn += 1) {
      stage().pass(hourMs);
      cookie = await next(cookie);
      seen.add(cookie);
    }
    expect(seen.size).toBe(5);
  });

  it('serves two tabs that present the same token within the grace period', async () => {
    const { cookie } = await stage().person('Customer');
    const first = await next(cookie);
    stage().pass(29 * secondMs);
    const second = await next(cookie);
    stage().pass(hourMs);
    await next(first);
    await next(second);
  });

  it('after the grace period recovers from a lost reply and revokes the unused child', async () => {
    const { cookie } = await stage().person('Customer');
    const lost = await next(cookie);
    stage().pass(31 * secondMs);
    const again = await next(cookie);
    stage().pass(31 * secondMs);
    await next(again);
    // Using the 'lost' token after all indicates theft: the session ends for both.
    expect((await refresh(stage(), lost)).status).toBe(401);
    expect((await refresh(stage(), again)).status).toBe(401);
  });

  it('recovers a browser killed before it saved its cookies and revokes all later tokens', async () => {
    const { cookie } = await stage().person('Customer');
    const child = await next(cookie);
    stage().pass(20 * secondMs);
    const grandchild = await next(child);
    stage().pass(hourMs);
    const again = await next(cookie);
    // If it was a thief, the owner's next call ends the session for both.
    for (const revoked of [child, grandchild]) {
      expect((await refresh(stage(), revoked)).status).toBe(401);
      expect((await refresh(stage(), again)).status).toBe(401);
    }
  });

  it('treats a token as stolen once its grandchild was used, even within the grace period', async () => {
    const { cookie } = await stage().person('Customer');
    const grandchild = await next(await next(cookie));
    stage().pass(61 * secondMs);
    await next(grandchild);
    expect((await refresh(stage(), cookie)).status).toBe(401);
  });

  it('after the grace period treats a token whose child was used as stolen and ends the session', async () => {
    const child = await next(person.cookie);
    stage().pass(61 * secondMs);
    const grandchild = await next(child);
    expect(await isAlive(person)).toBe(true);
    const reused = await refresh(stage(), person.cookie);
    expect(outcomeOf(reused)).toEqual([401, 'session_expired']);
    expect(String(reused.headers['set-cookie'])).toContain('kaya_refresh=;');
    expect((await refresh(stage(), grandchild)).status).toBe(401);
    expect(await isAlive(person), 'the access token lives on').toBe(false);
  });

  it('recovers from a lost reply for a day, then treats the token as stolen', async () => {
    const { email } = await stage().person('Customer');
    const [early, late] = [
      await stage().signIn(email, goodPassword, true),
      await stage().signIn(email, goodPassword, true),
    ];
    for (const { cookie } of [early, late]) await next(cookie);
    stage().pass(24 * hourMs);
    const again = await next(early.cookie);
    stage().pass(secondMs);
    expect((await refresh(stage(), late.cookie)).status).toBe(401);
    await next(again);
  });

  it('gives each of many simultaneous refreshes a working token', async () => {
    const { cookie } = await stage().person('Customer');
    const cookies = await Promise.all([1, 2, 3, 4].map(() => next(cookie)));
    expect(new Set(cookies).size).toBe(4);
    for (const one of cookies) await next(one);
  });

  it('ends an untrusted session after a day of inactivity, a trusted one after 30 days', async () => {
    const { email } = await stage().person('Customer');
    const untrusted = await stage().signIn(email);
    const trusted = await stage().signIn(email, goodPassword, true);
    stage().pass(23 * hourMs);
    const kept = await next(untrusted.cookie);
    stage().pass(24 * hourMs);
    expect((await refresh(stage(), kept)).status).toBe(401);
    stage().pass(28 * 24 * hourMs);
    const keptTrusted = await next(trusted.cookie);
    stage().pass(30 * 24 * hourMs);
    expect((await refresh(stage(), keptTrusted)).status).toBe(401);
  });
});

describe('logout', () => {
  it('ends the session and clears the cookie', async () => {
    const { cookie } = person;
    const answer = await stage().send(person, 'POST', '/api/auth/logout', { headers: { cookie } });
    expect(answer.status).toBe(200);
    expect(String(answer.headers['set-cookie'])).toContain('kaya_refresh=;');
    expect((await refresh(stage(), cookie)).status).toBe(401);
    expect(await isAlive(person)).toBe(false);
  });

  it.each([{}, { body: '' }, { body: {} }])('succeeds without a session, %j', async (how) => {
    expect((await stage().send(null, 'POST', '/api/auth/logout', how)).status).toBe(200);
  });
});

describe('password change', () => {
  const change = (by: Person, { id }: Person, headers: Record<string, string> = {}) =>
    stage().send(by, 'PATCH', '/api/users', { body: { id, password: 'sixsix' }, headers });

  it("ends the user's other sessions and keeps the current one", async () => {
    const other = await stage().signIn(person.email);
    const changed = await change(person, person);
    expect(changed.status).toBe(200);
    expect(await isAlive(person)).toBe(true);
    await next(cookieOf(changed));
    expect(await isAlive(other)).toBe(false);
    expect((await refresh(stage(), other.cookie)).status).toBe(401);
    await stage().signIn(person.email, 'sixsix');
    await expect(stage().signIn(person.email, goodPassword)).rejects.toThrow('wrong_password');
  });

  it('invalidates every copy of the current cookie without ending the session', async () => {
    const { email } = await stage().person('Customer');
    const person = await stage().signIn(email, goodPassword, true);
    // Two holders of one token, each with a child of their own.
    const [own, stolen] = [await next(person.cookie), await next(person.cookie)];
    const changed = await change(person, person, { cookie: own, 'idempotency-key': 'change' });
    expect(String(changed.headers['set-cookie'])).toMatch(
      /^kaya_refresh=[\w-]{43}; Max-Age=2592000; Path=\/api\/auth; HttpOnly; SameSite=Strict$/,
    );
    for (const cookie of [stolen, own, person.cookie]) {
      expect((await refresh(stage(), cookie)).status).toBe(401);
    }
    await next(await next(cookieOf(changed)));
    expect(await isAlive(person)).toBe(true);
  });

  it("returns the session's cookie when retried after a lost reply", async () => {
    const key = { 'idempotency-key': 'lost' };
    const lost = await change(person, person, key);
    const again = await change(person, person, key);
    expect([again.text, again.headers['idempotency-replayed']]).toEqual([lost.text, 'true']);
    expect((await refresh(stage(), cookieOf(lost))).status).toBe(401);
    await next(await next(cookieOf(again)));

    // Another session gets its own cookie; an ended one gets none.
    const later = await stage().signIn(person.email, 'sixsix');
    const logOut = { headers: { cookie: cookieOf(again) } };
    await stage().send(person, 'POST', '/api/auth/logout', logOut);
    expect((await change(person, person, key)).status).toBe(401);
    await next(cookieOf(await change(later, person, key)));
    expect(await isAlive(later)).toBe(true);
  });

  it('by an admin ends all sessions of the user and sets no cookie for the admin', async () => {
    const admin = await stage().admin();
    for (const _ of ['once', 'twice']) {
      const answer = await change(admin, person, { 'idempotency-key': 'theirs' });
      expect([answer.status, answer.headers['set-cookie']]).toEqual([200, undefined]);
    }
    expect([await isAlive(person), await isAlive(admin)]).toEqual([false, true]);
  });
});

describe('first admin', () => {
  it('is created if its e-mail is not taken', async () => {
    const { database, now } = stage();
    const account = { email: `${crypto.randomUUID()}@kaya.test`, password: 'the-deployments-own' };
    expect(await ensureFirstAdmin(database, account, now())).toBe('made');
    expect((await stage().signIn(account.email, account.password)).token).not.toBe('');
  });

  it('takes over an existing account with its e-mail, replacing password and ending sessions', async () => {
    const squatter = await stage().person('Customer');
    const { database, now } = stage();
    const account = { email: squatter.email, password: 'the-deployments-own' };
    expect(await ensureFirstAdmin(database, account, now())).toBe('promoted');
    expect(await isAlive(squatter)).toBe(false);
    const admin = await stage().signIn(squatter.email, 'the-deployments-own');
    expect(readUserInfo(admin.token).roles).toEqual(['Admin']);
    // A later start changes nothing, not even a password the admin has changed.
    await stage().edit(admin, { id: admin.id, password: 'my-own' });
    expect(await ensureFirstAdmin(database, account, now())).toBe('left as it was');
    await stage().signIn(squatter.email, 'my-own');
  });
});
