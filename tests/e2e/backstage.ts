/** Asking and arranging at the server itself, past every proxy. */
import { randomUUID } from 'node:crypto';

export interface Account {
  email: string;
  password: string;
  role: 'Customer' | 'Employee';
  firstName: string;
  lastName: string;
}

export type Credentials = Pick<Account, 'email' | 'password'>;

/** The dispatcher that the server is started with. */
export const admin: Credentials = { email: 'dispatcher@kaya.test', password: 'a-good-password' };

export interface Backstage {
  /** The server itself, past the proxy: for asking what is true. */
  serverUrl: string;
  /** A signed-up account with a complete profile. */
  account(role: Account['role'], firstName: string): Promise<Account>;
  /** One call as this account, past the proxy. */
  call(account: Credentials, method: string, path: string, body?: unknown): Promise<unknown>;
}

async function json(answer: Response): Promise<Record<string, unknown>> {
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.status} ${text}`);
  return JSON.parse(text);
}

export function createBackstage(serverUrl: string): Backstage {
  const post = (path: string, body: unknown) =>
    fetch(`${serverUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).then(json);

  async function call(account: Credentials, method: string, path: string, body?: unknown) {
    const { email, password } = account;
    const { accessToken } = await post('/api/auth/login', { email, password });
    const answer = await fetch(`${serverUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${accessToken}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return json(answer);
  }

  return {
    serverUrl,
    call,
    async account(role, firstName) {
      const email = `${firstName.toLowerCase()}-${randomUUID().slice(0, 8)}@kaya.test`;
      const account = { email, password: 'a-good-password', role, firstName, lastName: 'Bello' };
      const signedUp = await post('/api/auth/signup', {
        email,
        password: account.password,
        role,
      });
      const { _id: id } = signedUp.user as { _id: string };
      const { lastName } = account;
      const phoneNumber = '0803 123 4567';
      await call(account, 'PATCH', '/api/users', { id, firstName, lastName, email, phoneNumber });
      return account;
    },
  };
}
