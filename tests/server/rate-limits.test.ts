import { describe, expect, it } from 'vitest';
import { callsPerAddress, limitsPer } from '#server/plugins/rate-limits.ts';
import { fileStage, type Person } from './stage.ts';

const stage = fileStage({ RATE_LIMIT: 'on' });

function login(email: string, remoteAddress: string) {
  const body = { email, password: 'a-wrong-guess' };
  return stage().send(null, 'POST', '/api/auth/login', { body, remoteAddress });
}

describe('rate limits', { timeout: 120_000 }, () => {
  it('stop guessing at one account, from however many addresses, and say when to come back', async () => {
    const { max } = limitsPer.login.account;
    for (let guess = 0; guess < max; guess += 1) {
      const answer = await login('target@kaya.test', `10.0.0.${guess}`);
      expect(answer.status).toBe(404);
    }
    const answer = await login('target@kaya.test', '10.0.1.1');
    expect([answer.status, answer.body.code]).toEqual([429, 'rate_limited']);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect((await login('another@kaya.test', '10.0.1.1')).status).toBe(404);
  });

  it('stop one address from asking after many accounts', async () => {
    const { max } = limitsPer.login.address;
    for (let guess = 0; guess < max; guess += 1) {
      expect((await login(`person-${guess}@kaya.test`, '10.9.9.9')).status).toBe(404);
    }
    expect((await login('one-more@kaya.test', '10.9.9.9')).status).toBe(429);
    expect((await login('one-more@kaya.test', '10.9.9.8')).status).toBe(404);
  });

  it('know an account however its e-mail is spelled', async () => {
    const spellings = ['one@kaya.test', 'ONE@kaya.test', ' One@Kaya.test '];
    for (let guess = 0; guess < limitsPer.login.account.max; guess += 1) {
      expect((await login(spellings[guess % 3] ?? '', `10.1.0.${guess}`)).status).toBe(404);
    }
    for (const spelling of spellings) {
      expect((await login(spelling, '10.1.1.1')).status).toBe(429);
    }
  });

  it('hold over all servers together, also where many try at once', async () => {
    const servers = [stage(), await stage().another()];
    const { max } = limitsPer.login.account;
    const answers = await Promise.all(
      Array.from({ length: max * 2 }, (_, n) =>
        (servers[n % 2] ?? stage()).send(null, 'POST', '/api/auth/login', {
          body: { email: 'shared@kaya.test', password: 'a-wrong-guess' },
          remoteAddress: `10.2.0.${n}`,
        }),
      ),
    );
    const counted = [404, 429].map((status) =>
      answers.filter((answer) => answer.status === status),
    );
    expect(counted.map(({ length }) => length)).toEqual([max, max]);
  });

  it('are lifted when their time is over', async () => {
    const { max, windowMs } = limitsPer.login.account;
    for (let guess = 0; guess <= max; guess += 1) await login('later@kaya.test', `10.3.0.${guess}`);
    const refused = await login('later@kaya.test', '10.3.1.1');
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, `${windowMs / 1000}`]);
    stage().pass(windowMs - 1000);
    const almost = await login('later@kaya.test', '10.3.1.1');
    expect([almost.status, almost.headers['retry-after']]).toEqual([429, '1']);
    stage().pass(1000);
    for (let guess = 0; guess < max; guess += 1) {
      expect((await login('later@kaya.test', '10.3.1.1')).status).toBe(404);
    }
    expect((await login('later@kaya.test', '10.3.1.1')).status).toBe(429);
  });

  it('keep one account from changing passwords all day, and other edits go on', async () => {
    const person = await stage().person('Customer');
    const edit = (body: object) =>
      stage().send(person, 'PATCH', '/api/users', { body: { id: person.id, ...body } });
    for (let n = 0; n < limitsPer.changePassword.account.max; n += 1) {
      expect((await edit({ password: `a-new-password-${n}` })).status).toBe(200);
    }
    const refused = await edit({ password: 'one-password-too-many' });
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
    expect((await edit({ address: '4 Zoo Road' })).status).toBe(200);
  });

  it('keep one device that runs wild from taking the server for itself', async () => {
    const call = (path: string, remoteAddress: string) =>
      stage().send(null, 'GET', path, { remoteAddress });
    for (let n = 0; n < callsPerAddress.max; n += 1) await call('/api/nothing', '10.4.0.1');
    const refused = await call('/api/packages', '10.4.0.1');
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await call('/api/packages', '10.4.0.2')).status).toBe(401);
    expect((await call('/healthz', '10.4.0.1')).status).toBe(200);
    for (const path of ['/%61pi/packages', 'http://kaya.test/api/packages', '/%61pi/nothing']) {
      expect([path, (await call(path, '10.4.0.1')).status]).toEqual([path, 429]);
    }
  });

  it('keep one account from having the provider asked without end', async () => {
    const [person, other] = [await stage().person('Customer'), await stage().person('Customer')];
    const verify = (who: Person) =>
      stage()
        .send(who, 'GET', '/api/payments/verify/kaya_of_nobody')
        .then(({ status }) => status);
    for (let n = 0; n < limitsPer.verifyPayment.account.max; n += 1) {
      expect(await verify(person)).toBe(404);
    }
    expect([await verify(person), await verify(other)]).toEqual([429, 404]);
  });
});
