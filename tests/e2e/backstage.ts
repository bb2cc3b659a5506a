/** Calls the server directly, past every proxy, to query and arrange. */
import { randomUUID } from 'node:crypto';
import type { RecordEventBody } from '#contract/event.ts';
import type { WirePackage } from '#contract/package.ts';
import type { WireUser } from '#contract/user.ts';

export interface Account {
  id: string;
  email: string;
  password: string;
  role: 'Customer' | 'Employee' | 'Admin';
  firstName: string;
  lastName: string;
}

type StepNow = Pick<RecordEventBody, 'type'> & Partial<RecordEventBody>;

export type Credentials = Pick<Account, 'email' | 'password'>;

/** The server's first admin. */
export const admin: Credentials = { email: 'dispatcher@kaya.test', password: 'a-good-password' };

/** Defaults of a package; the price is in naira. */
export const packageBody = {
  pickupAddress: '12 Kofar Mata Road, Kano',
  deliveryAddress: '4 Zoo Road, Kano',
  recipientName: 'Musa Ibrahim',
  recipientPhone: '0805 765 4321',
  description: 'Two bolts of indigo cloth',
  pickupDate: '2027-01-15T09:00',
  priceOffer: 1500,
  paymentMethod: 'cash',
};

export type PackageOnServer = WirePackage;

/** As many packages as were asked for. */
type Several<Count extends number> = Count extends 1
  ? [PackageOnServer]
  : Count extends 2
    ? [PackageOnServer, PackageOnServer]
    : PackageOnServer[];

export type Backstage = ReturnType<typeof createBackstage>;

async function json(answer: Response): Promise<unknown> {
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.status} ${text}`);
  return JSON.parse(text);
}

export function createBackstage(serverUrl: string) {
  const ask = (method: string, path: string, body: unknown, token?: string) =>
    fetch(`${serverUrl}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  /** By e-mail. Hashing takes time, so one sign-in serves until it is refused. */
  const tokens = new Map<string, string>();

  async function signIn({ email, password }: Credentials): Promise<string> {
    const answer = await json(await ask('POST', '/api/auth/login', { email, password }));
    const { accessToken } = answer as { accessToken: string };
    tokens.set(email, accessToken);
    return accessToken;
  }

  async function askAs(account: Credentials, method: string, path: string, body?: unknown) {
    const known = tokens.get(account.email);
    const answer = known === undefined ? null : await ask(method, path, body, known);
    if (answer !== null && answer.status !== 401) return answer;
    return ask(method, path, body, await signIn(account));
  }

  /** One call as this account. */
  async function call<Answer = unknown>(
    account: Credentials,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Answer> {
    return json(await askAs(account, method, path, body)) as Answer;
  }

  /** The bytes of a picture that proves a delivery. */
  async function picture(account: Credentials, packageId: string, proofId: string) {
    const answer = await askAs(account, 'GET', `/api/packages/${packageId}/proofs/${proofId}`);
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    return Buffer.from(await answer.arrayBuffer());
  }

  /** Returns its id; the profile is still empty. */
  async function signUp({ email, password, role }: Credentials & Pick<Account, 'role'>) {
    const answer = await json(await ask('POST', '/api/auth/signup', { email, password, role }));
    const { accessToken, user } = answer as { accessToken: string; user: WireUser };
    tokens.set(email, accessToken);
    return user._id;
  }

  /** Signs up an account with a complete profile. */
  async function account(role: Account['role'], firstName: string): Promise<Account> {
    const email = `${firstName.toLowerCase()}-${randomUUID().slice(0, 8)}@kaya.test`;
    const named = { email, firstName, lastName: 'Bello', phoneNumber: '0803 123 4567' };
    const password = 'a-good-password';
    if (role === 'Admin') {
      const body = { ...named, password, roles: [role] };
      const { _id: id } = await call<WireUser>(admin, 'POST', '/api/users', body);
      return { id, password, role, ...named };
    }
    const id = await signUp({ email, password, role });
    const made = { id, password, role, ...named };
    await call(made, 'PATCH', '/api/users', { id, ...named });
    return made;
  }
  const sender = (firstName = 'Amina') => account('Customer', firstName);
  const courier = (firstName = 'Sani') => account('Employee', firstName);
  /** Besides the server's first one, who has no name. */
  const dispatcher = (firstName = 'Ladi') => account('Admin', firstName);

  /** A package of this sender, on offer. */
  const create = (by: Account, changes: object = {}) =>
    call<PackageOnServer>(by, 'POST', '/api/packages', { ...packageBody, ...changes });

  /** Several of them with unique texts, or one for each of these changes in order. */
  async function packages(by: Account, wanted: number | readonly object[]) {
    const named = (_: unknown, at: number) => ({ description: `Bale ${at + 1} of ${by.email}` });
    const changes = typeof wanted === 'number' ? Array.from({ length: wanted }, named) : wanted;
    const made: PackageOnServer[] = [];
    for (const change of changes) made.push(await create(by, change));
    return made;
  }

  /** A sender with this many packages on offer, and a courier. */
  async function offers<Count extends number>(count: Count) {
    const by = await sender();
    const made = (await packages(by, count)) as Several<Count>;
    return { sender: by, courier: await courier(), packages: made };
  }

  async function accept(by: Account, { _id }: { _id: string }): Promise<void> {
    const body = { deliveryPersonId: by.id, deliveryStatus: 'In Transit' };
    await call(by, 'PATCH', `/api/packages/${_id}`, body);
  }

  /** A step of a delivery, done now. */
  const record = (by: Account, { _id }: { _id: string }, step: StepNow) =>
    call<WirePackage>(by, 'POST', `/api/packages/${_id}/events`, {
      _id: randomUUID(),
      occurredAt: new Date().toISOString(),
      ...step,
    });

  const people = { account, sender, courier, dispatcher };
  const steps = { package: create, packages, offers, accept, record };
  return { serverUrl, call, picture, signUp, ...people, ...steps };
}

/** A name unique on this server. */
export const unique = (first: string) => `${first}${randomUUID().slice(0, 6)}`;

export const nameOf = ({ firstName, lastName }: Account) => `${firstName} ${lastName}`;

export const usersOf = ({ call }: Backstage) => call<WireUser[]>(admin, 'GET', '/api/users');

export async function userOf(backstage: Backstage, { email }: Credentials): Promise<WireUser> {
  const found = (await usersOf(backstage)).find((user) => user.email === email);
  if (!found) throw new Error(`Nobody has ${email}.`);
  return found;
}
