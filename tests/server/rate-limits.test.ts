import { describe, expect, it } from 'vitest';
import { limitsPer } from '#server/plugins/rate-limits.ts';
import { fileStage } from './stage.ts';

const stage = fileStage({ RATE_LIMIT: 'on' });

function login(email: string, remoteAddress: string) {
  const body = { email, password: 'a-wrong-guess' };
  return stage().send(null, 'POST', '/api/auth/login', { body, remoteAddress });
}

describe('rate limits', () => {
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
});
