import { describe, expect, it } from 'vitest';
import { routes } from '#contract/routes.ts';
import { limitsPer } from '#server/plugins/rate-limits.ts';
import { isLong } from '#tests/size.ts';
import { fileStage, outcomeOf, type Person } from './stage.ts';

const callsPerMinute = 300;
const stage = fileStage({ RATE_LIMIT: 'on', CALLS_PER_MINUTE: `${callsPerMinute}` });

function login(email: string, remoteAddress: string, on = stage()) {
  const body = { email, password: 'a-wrong-guess' };
  return on.send(null, 'POST', '/api/auth/login', { body, remoteAddress });
}

describe('rate limits', { timeout: 120_000 }, () => {
  it.each([
    ['IPv4', (n: number) => `10.0.0.${n}`, '10.0.1.1'],
    ['IPv6', (n: number) => `2001:db8:0:${n}::1`, '2001:db8:1::1'],
  ])('stop guessing at one account from one network (%s), with Retry-After, without locking out the owner', async (kind, there, elsewhere) => {
    const [target, another] = [`${kind}-target@kaya.test`, `${kind}-another@kaya.test`];
    const { max } = limitsPer.login.accountThere;
    for (let guess = 0; guess < max; guess += 1) {
      expect((await login(target, there(guess))).status).toBe(404);
    }
    const answer = await login(target, there(max));
    expect(outcomeOf(answer)).toEqual([429, 'rate_limited']);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect((await login(another, there(max))).status).toBe(404);
    expect((await login(target, elsewhere)).status).toBe(404);
  });

  it.runIf(isLong)(
    'stop guessing at one account from everywhere, beyond the reach of one network',
    async () => {
      const { account, accountThere } = limitsPer.login;
      const roundsAnHour = account.windowMs / accountThere.windowMs;
      for (let round = 0; round < roundsAnHour; round += 1) {
        for (let n = 0; n <= accountThere.max; n += 1) await login('wide@kaya.test', `10.5.0.${n}`);
        stage().pass(accountThere.windowMs);
      }
      expect((await login('wide@kaya.test', '10.6.0.1')).status).toBe(404);
      stage().pass(account.windowMs);
      for (let guess = 0; guess < account.max; guess += 1) {
        expect((await login('wide@kaya.test', `10.7.${guess}.1`)).status).toBe(404);
      }
      expect((await login('wide@kaya.test', '10.8.0.1')).status).toBe(429);
    },
  );

  it.runIf(isLong)('stop one address from probing many accounts', async () => {
    const { max } = limitsPer.login.address;
    for (let guess = 0; guess < max; guess += 1) {
      expect((await login(`person-${guess}@kaya.test`, '10.9.9.9')).status).toBe(404);
    }
    expect((await login('one-more@kaya.test', '10.9.9.9')).status).toBe(429);
    expect((await login('one-more@kaya.test', '10.9.9.8')).status).toBe(404);
  });

  it('identify an account regardless of the spelling of its e-mail', async () => {
    const spellings = ['one@kaya.test', 'ONE@kaya.test', ' One@Kaya.test '];
    for (let guess = 0; guess < limitsPer.login.accountThere.max; guess += 1) {
      expect((await login(spellings[guess % 3] ?? '', `10.1.0.${guess}`)).status).toBe(404);
    }
    for (const spelling of spellings) {
      expect((await login(spelling, '10.1.0.99')).status).toBe(429);
    }
  });

  it("bound a courier's questions whose bank account a number is", async () => {
    const [courier, another] = await stage().people('Employee', 'Employee');
    const ask = async (who: Person) => {
      const path = '/api/payouts/resolve?bankCode=058&accountNumber=0123456789';
      return (await stage().send(who, 'GET', path)).body.code;
    };
    // No provider is listening here.
    for (let asked = 0; asked < limitsPer.resolveBank.account.max; asked += 1) {
      expect(await ask(courier)).toBe('provider_unavailable');
    }
    expect([await ask(courier), await ask(another)]).toEqual([
      ...['rate_limited', 'provider_unavailable'],
    ]);
  });

  it('bound guesses at the password by saving bank accounts', async () => {
    const courier = await stage().person('Employee');
    const save = async () => {
      const body = { bankCode: '058', accountNumber: '0123456789', password: 'a-wrong-guess' };
      return (await stage().send(courier, 'PUT', '/api/payouts/account', { body })).body.code;
    };
    const codes: (string | undefined)[] = [];
    for (let guess = 0; guess <= limitsPer.changePassword.account.max; guess += 1) {
      codes.push(await save());
    }
    expect(codes).toEqual([
      ...Array(limitsPer.changePassword.account.max).fill('wrong_password'),
      'rate_limited',
    ]);
  });

  it('apply across servers, also to concurrent attempts', async () => {
    const servers = [stage(), await stage().another()];
    const { max } = limitsPer.login.accountThere;
    const answers = await Promise.all(
      Array.from({ length: max * 2 }, (_, n) =>
        login('shared@kaya.test', `10.2.0.${n}`, servers[n % 2]),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(max).fill(404), ...Array(max).fill(429)]);
  });

  it('expire', async () => {
    const { max, windowMs } = limitsPer.login.accountThere;
    for (let guess = 0; guess <= max; guess += 1) await login('later@kaya.test', `10.3.1.${guess}`);
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

  it('limit password changes of one account, and not other edits', async () => {
    const person = await stage().person('Customer');
    const edit = (body: object) => stage().edit(person, { id: person.id, ...body });
    for (let n = 0; n < limitsPer.changePassword.account.max; n += 1) {
      expect((await edit({ password: `a-new-password-${n}` })).status).toBe(200);
    }
    const refused = await edit({ password: 'one-password-too-many' });
    expect(outcomeOf(refused)).toEqual([429, 'rate_limited']);
    expect((await edit({ address: '4 Zoo Road' })).status).toBe(200);
  });

  it('keep one runaway device from starving the server', async () => {
    const call = (path: string, remoteAddress: string) =>
      stage().send(null, 'GET', path, { remoteAddress });
    for (let n = 0; n < callsPerMinute; n += 1) await call('/api/nothing', '10.4.0.1');
    const refused = await call('/api/packages', '10.4.0.1');
    expect(outcomeOf(refused)).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await call('/api/packages', '10.4.0.2')).status).toBe(401);
    expect((await call('/healthz', '10.4.0.1')).status).toBe(200);
    for (const path of ['/%61pi/packages', 'http://kaya.test/api/packages', '/%61pi/nothing']) {
      expect([path, (await call(path, '10.4.0.1')).status]).toEqual([path, 429]);
    }
  });

  it('keep an anonymous caller from blocking others at the same address', async () => {
    const person = await stage().person('Customer');
    const remoteAddress = '10.10.0.1';
    const forged = { ...person, token: `${person.token.slice(0, -8)}AAAAAAAA` };
    for (const who of [null, forged]) {
      for (let n = 0; n < callsPerMinute; n += 1) {
        await stage().send(who, 'GET', '/api/nope', { remoteAddress });
      }
      expect((await stage().send(who, 'GET', '/api/nope', { remoteAddress })).status).toBe(429);
    }
    const own = await stage().send(person, 'GET', routes.listPackages.path, { remoteAddress });
    expect(own.status).toBe(200);
    const headers = { cookie: person.cookie };
    const refreshed = await stage().send(null, 'GET', routes.refresh.path, {
      headers,
      remoteAddress,
    });
    expect(refreshed.status).toBe(200);
  });

  it('never hide that a token has expired', async () => {
    const person = await stage().person('Customer');
    stage().pass(16 * 60_000);
    const remoteAddress = '10.13.0.1';
    for (let n = 0; n <= callsPerMinute; n += 1) {
      await stage().send(null, 'GET', '/api/nope', { remoteAddress });
    }
    const answer = await stage().send(person, 'GET', routes.listPackages.path, { remoteAddress });
    expect(outcomeOf(answer)).toEqual([401, 'session_expired']);
  });

  it("count a user's calls from all addresses, apart from their neighbours'", async () => {
    const [eager, moderate] = await stage().people('Customer', 'Customer');
    const call = (who: Person, remoteAddress: string) =>
      stage().send(who, 'GET', '/api/nope', { remoteAddress });
    const answers: number[] = [];
    // Creating the user took some calls too.
    for (let n = 0; n < callsPerMinute; n += 1) {
      answers.push((await call(eager, `10.11.${n}.1`)).status);
    }
    expect(answers[0]).toBe(404);
    expect((await call(eager, '10.12.0.1')).status).toBe(429);
    expect((await call(moderate, '10.12.0.1')).status).toBe(404);
    const anonymous = { remoteAddress: '10.12.0.1' };
    expect((await stage().send(null, 'GET', '/api/nope', anonymous)).status).toBe(404);
  });

  it('limit how often one account makes the server call the provider', async () => {
    const [person, other] = await stage().people('Customer', 'Customer');
    const verify = async (who: Person) =>
      (await stage().send(who, 'GET', '/api/payments/verify/kaya_of_nobody')).status;
    for (let n = 0; n < limitsPer.verifyPayment.account.max; n += 1) {
      expect(await verify(person)).toBe(404);
    }
    expect([await verify(person), await verify(other)]).toEqual([429, 404]);
  });
});
