/** Where somebody is signed in. */
import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import type { DeviceSession } from '#contract/auth.ts';
import { deviceOf } from '#server/modules/auth/device.ts';
import { revokeSessionsOf } from '#server/modules/auth/repository.ts';
import { codeOf, fileStage, goodPassword, outcomeOf, type Person, refresh } from './stage.ts';

const stage = fileStage();
const hourMs = 3_600_000;
const android =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36';
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0';

async function signIn({ email }: Person, userAgent: string): Promise<Person> {
  const answer = await stage().send(null, 'POST', '/api/auth/login', {
    body: { email, password: goodPassword },
    headers: { 'user-agent': userAgent },
  });
  const token = answer.body.accessToken;
  const [cookie = ''] = String(answer.headers['set-cookie']).split(';');
  return { id: String(decodeJwt(token).sub), email, token, cookie };
}
const list = async (who: Person) =>
  (await stage().send<DeviceSession[]>(who, 'GET', '/api/auth/sessions')).body;
const end = (who: Person, id: string) => stage().send(who, 'DELETE', `/api/auth/sessions/${id}`);
const idOf = ({ token }: Person) => String(decodeJwt(token).sid);

describe('a name of a device', () => {
  const apple = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
  const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0';
  it.each([
    [android, 'Chrome on Android'],
    [firefox, 'Firefox on Linux'],
    [
      `Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36`,
      'Samsung Internet on Android',
    ],
    [
      `Mozilla/5.0 (Linux; Android 10; K) ${chrome} Mobile Safari/537.36 OPR/86.0.0.0`,
      'Opera on Android',
    ],
    [
      'Opera/9.80 (Android; Opera Mini/76.0.2254/191.303; U; en) Presto/2.12.423 Version/12.16',
      'Opera on Android',
    ],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36 Edg/130.0.0.0`,
      'Edge on Windows',
    ],
    [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${chrome} Safari/537.36`, 'Chrome on ChromeOS'],
    [
      `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${apple} Version/18.1 Safari/605.1.15`,
      'Safari on Mac',
    ],
    [
      `Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${apple} Version/18.1 Mobile/15E148 Safari/604.1`,
      'Safari on iPhone',
    ],
    [
      `Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${apple} CriOS/130.0.6723.37 Mobile/15E148 Safari/604.1`,
      'Chrome on iPhone',
    ],
    ['Mozilla/5.0 (iPad; CPU OS 18_1 like Mac OS X)', 'iPad'],
    ['curl/8.5.0', null],
    ['<script>alert(1)</script>', null],
    [undefined, null],
  ])('of %s is %s', (userAgent, name) => {
    expect(deviceOf(userAgent)).toBe(name);
  });
});

describe('the list of devices', () => {
  it('has those that are signed in, the last used first, and marks this one', async () => {
    const first = await stage().person('Customer');
    stage().pass(1000);
    const phone = await signIn(first, android);
    stage().pass(1000);
    const laptop = await signIn(first, firefox);
    const at = stage().now().toISOString();
    expect(await list(phone)).toMatchObject([
      {
        _id: idOf(laptop),
        device: 'Firefox on Linux',
        isCurrent: false,
        createdAt: at,
        lastSeenAt: at,
      },
      { _id: idOf(phone), device: 'Chrome on Android', isCurrent: true },
      { _id: idOf(first), device: 'Unknown device', isCurrent: false },
    ]);
    stage().pass(hourMs / 12);
    await refresh(stage(), phone.cookie, { 'user-agent': android });
    const [now] = await list(phone);
    expect(now).toMatchObject({ _id: idOf(phone), lastSeenAt: stage().now().toISOString() });
    expect(now?.createdAt).not.toBe(now?.lastSeenAt);
  });

  it('leaves out what has ended or can no longer go on', async () => {
    const person = await stage().person('Customer');
    const idle = await signIn(person, android);
    await revokeSessionsOf(stage().db, person.id, stage().now(), idOf(idle));
    expect((await list(idle)).map(({ _id }) => _id)).toEqual([idOf(idle)]);
    stage().pass(25 * hourMs);
    const fresh = await signIn(person, android);
    expect((await list(fresh)).map(({ _id }) => _id)).toEqual([idOf(fresh)]);
  });

  it('logs another device out, at once and for good', async () => {
    const person = await stage().person('Customer');
    const lost = await signIn(person, android);
    expect(await end(person, idOf(lost))).toMatchObject({ status: 200, body: {} });
    expect(await codeOf(stage().send(lost, 'GET', '/api/packages'))).toBe('session_expired');
    expect(await codeOf(refresh(stage(), lost.cookie))).toBe('session_expired');
    expect((await list(person)).map(({ _id }) => _id)).toEqual([idOf(person)]);
    expect(outcomeOf(await end(person, idOf(lost)))).toEqual([404, 'not_found']);
  });

  it('logs this one out, with its cookie', async () => {
    const person = await stage().person('Customer');
    const answer = await end(person, idOf(person));
    expect(answer.status).toBe(200);
    expect(String(answer.headers['set-cookie'])).toMatch(/^kaya_refresh=; /);
    expect(await codeOf(stage().send(person, 'GET', '/api/packages'))).toBe('session_expired');
  });

  it('ends nobody else’s login, not even for an admin', async () => {
    const [person, other] = await stage().people('Customer', 'Customer');
    for (const who of [other, await stage().admin()]) {
      expect(outcomeOf(await end(who, idOf(person)))).toEqual([404, 'not_found']);
      expect(outcomeOf(await end(who, randomUUID()))).toEqual([404, 'not_found']);
    }
    expect(await list(person)).toHaveLength(1);
  });
});
