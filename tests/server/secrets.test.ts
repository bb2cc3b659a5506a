/**
 * At its most verbose level the log contains no secret and no personal data: in successful calls,
 * refused calls and database failures.
 */
import { createHmac } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { refreshTokens, users } from '#server/database/schema.ts';
import { getOrCreateSetting } from '#server/modules/auth/repository.ts';
import { fileStage, goodPassword, packageBody } from './stage.ts';

const jwtSecret = 'a-secret-that-no-log-line-may-hold-123456';
const stage = fileStage({ LOG_LEVEL: 'trace', JWT_SECRET: jwtSecret, PAYMENTS: 'sandbox' });

describe('the log at its most verbose', () => {
  it('contains no password, token, cookie, key, e-mail or phone number', async () => {
    await stage().app.listen({ port: 0, host: '127.0.0.1' });
    const sender = await stage().person('Customer');
    const secretKey = await getOrCreateSetting(stage().db, 'sandbox_secret_key', '');
    const send = stage().send;
    const wrongPassword = 'wrong-guess-of-a-password';
    const newPassword = 'the-next-good-password';

    const again = await stage().signIn(sender.email);
    await send(null, 'POST', '/api/auth/login', {
      body: { email: sender.email, password: wrongPassword },
    });
    const cookie = { cookie: again.cookie };
    const refreshed = await send(null, 'GET', '/api/auth/refresh', { headers: cookie });
    await send(null, 'GET', '/api/auth/refresh', { headers: { cookie: `${again.cookie}x` } });
    await send(sender, 'POST', '/api/packages', {
      body: packageBody(),
      headers: { 'idempotency-key': 'a-key-that-is-nobodys-business' },
    });
    await send(sender, 'POST', '/api/packages', { body: `{"password":"${wrongPassword}` });
    await send(sender, 'PATCH', '/api/users', { body: { id: sender.id, password: newPassword } });
    await send(sender, 'GET', `/api/packages?token=${sender.token}&email=${sender.email}`);
    const body = { email: sender.email, amount: 500 };
    expect((await send(sender, 'POST', '/api/payments/initiate', { body })).status).toBe(200);
    const forged = createHmac('sha512', 'not-the-key').update('{}').digest('hex');
    const headers = { 'x-paystack-signature': forged };
    await send(null, 'POST', '/api/payments/webhook', { body: '{}', headers });

    // Database errors carry the statement and its parameters.
    await stage().db.execute(sql`alter table users rename to users_away`);
    const broken = await send(null, 'POST', '/api/auth/login', {
      body: { email: sender.email, password: goodPassword },
    });
    const brokenToo = await send(sender, 'GET', '/api/packages');
    await stage().db.execute(sql`alter table users_away rename to users`);
    expect([broken.status, brokenToo.status]).toEqual([500, 500]);

    const text = stage().logs.join('');
    expect(stage().logs.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({
        method: 'POST',
        route: '/api/packages',
        status: 201,
        ms: expect.any(Number),
        reqId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      }),
    );
    expect(text).toContain('a request failed');
    expect(text).toContain('users');
    const secrets = [
      ...[goodPassword, wrongPassword, newPassword, jwtSecret, secretKey, forged],
      ...[sender.email, sender.token, again.token, refreshed.body.accessToken],
      ...[sender.cookie, again.cookie].map((pair) => pair.split('=')[1] ?? ''),
      ...['kaya_refresh', 'Bearer', 'argon2', 'a-key-that-is-nobodys-business'],
      ...[
        '0803 123 4567',
        '8031234567',
        '0805 765 4321',
        '8057654321',
        'musa@kaya.test',
        'Musa Ibrahim',
        'Kofar Mata',
      ],
    ];
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(5);
      expect(text.includes(secret), `the log holds '${secret}'`).toBe(false);
    }
    // The answer to a failure leaks nothing either.
    expect(Object.keys(broken.body).sort()).toEqual(['code', 'message']);
  });

  it('the database stores passwords and refresh tokens hashed only', async () => {
    const person = await stage().person('Customer');
    const accounts = await stage().db.select().from(users).where(eq(users.id, person.id));
    const tokens = await stage().db.select().from(refreshTokens);
    const kept = JSON.stringify([accounts, tokens]);
    expect(kept).toContain('$argon2id$v=19$m=19456,t=2,p=1$');
    expect(tokens.length).toBeGreaterThan(0);
    for (const secret of [goodPassword, person.cookie.split('=')[1] ?? 'none', person.token]) {
      expect(kept).not.toContain(secret);
    }
  });
});
