/** Real servers on data folders of their own, and a caller for them. */
import { randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { startServer } from '#tests/fakes/server-process.ts';
import { goodPassword } from './stage.ts';

/**
 * Data folders for the tests of a file, gone after them. The database is made once by a first
 * start and copied, since making one takes seconds.
 */
export function dataFolders(): () => string {
  const home = mkdtempSync(path.join(tmpdir(), 'kaya-process-'));
  const cluster = path.join(home, 'cluster');
  let folders = 0;
  beforeAll(async () => {
    const server = await startServer({ env: { DATA_DIR: cluster } });
    expect((await server.stop()).code).toBe(0);
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));
  return () => {
    folders += 1;
    const folder = path.join(home, `data-${folders}`);
    cpSync(cluster, folder, { recursive: true });
    return folder;
  };
}

/** One call to a running server; rejects where no whole answer came. */
export async function call<T>(
  url: string,
  method: string,
  at: string,
  { token, key, body }: { token?: string; key?: string; body?: unknown } = {},
): Promise<{ status: number; body: T }> {
  const response = await fetch(`${url}${at}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as T };
}

export async function signUp(url: string, email = `${randomUUID()}@kaya.test`): Promise<string> {
  const body = { email, password: goodPassword, role: 'Customer' };
  const signedUp = await call<{ accessToken: string; user: { _id: string } }>(
    url,
    'POST',
    '/api/auth/signup',
    { body },
  );
  const token = signedUp.body.accessToken;
  const profile = { firstName: 'Amina', lastName: 'Bello', phoneNumber: '0803 123 4567' };
  await call(url, 'PATCH', '/api/users', {
    token,
    body: { id: signedUp.body.user._id, ...profile },
  });
  return token;
}
