import { describe, expect, it } from 'vitest';
import { readUserInfo } from '#domain/token.ts';
import { fileStage, type Person } from './stage.ts';

const stage = fileStage();

async function isAlive(person: Person): Promise<boolean> {
  const { status } = await stage().send(person, 'GET', '/api/users');
  return status === 200;
}

describe('first admin', () => {
  it('is created if its e-mail is not taken', async () => {
    const { ensureFirstAdmin } = await import('#server/modules/auth/first-admin.ts');
    const { database, now } = stage();
    const account = { email: `${crypto.randomUUID()}@kaya.test`, password: 'the-deployments-own' };
    expect(await ensureFirstAdmin(database, account, now())).toBe('made');
    expect((await stage().signIn(account.email, account.password)).token).not.toBe('');
  });

  it('takes over an existing account with its e-mail, replacing password and ending sessions', async () => {
    const { ensureFirstAdmin } = await import('#server/modules/auth/first-admin.ts');
    const squatter = await stage().person('Customer');
    const { database, now } = stage();
    const account = { email: squatter.email, password: 'the-deployments-own' };
    expect(await ensureFirstAdmin(database, account, now())).toBe('promoted');
    expect(await isAlive(squatter)).toBe(false);
    const admin = await stage().signIn(squatter.email, 'the-deployments-own');
    expect(readUserInfo(admin.token).roles).toEqual(['Admin']);
    // A later start changes nothing, not even a password the admin has changed.
    await stage().send(admin, 'PATCH', '/api/users', {
      body: { id: admin.id, password: 'my-own' },
    });
    expect(await ensureFirstAdmin(database, account, now())).toBe('left as it was');
    await stage().signIn(squatter.email, 'my-own');
  });
});
