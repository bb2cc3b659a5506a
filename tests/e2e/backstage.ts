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
  const ask = (method: string, path: string, body: unknown, token?: string) =>
    fetch(`${serverUrl}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  /** By e-mail. A password takes its time, so one sign-in serves until it is refused. */
  const tokens = new Map<string, string>();

  async function signIn({ email, password }: Credentials): Promise<string> {
    const { accessToken } = await json(await ask('POST', '/api/auth/login', { email, password }));
    tokens.set(email, String(accessToken));
    return String(accessToken);
  }

  async function call(account: Credentials, method: string, path: string, body?: unknown) {
    const known = tokens.get(account.email);
    const answer = known === undefined ? null : await ask(method, path, body, known);
    if (answer !== null && answer.status !== 401) return json(answer);
    return json(await ask(method, path, body, await signIn(account)));
  }

  return {
    serverUrl,
    call,
    async account(role, firstName) {
      const email = `${firstName.toLowerCase()}-${randomUUID().slice(0, 8)}@kaya.test`;
      const account = { email, password: 'a-good-password', role, firstName, lastName: 'Bello' };
      const { password } = account;
      const signedUp = await json(await ask('POST', '/api/auth/signup', { email, password, role }));
      tokens.set(email, String(signedUp.accessToken));
      const { _id: id } = signedUp.user as { _id: string };
      const { lastName } = account;
      const phoneNumber = '0803 123 4567';
      await call(account, 'PATCH', '/api/users', { id, firstName, lastName, email, phoneNumber });
      return account;
    },
  };
}
