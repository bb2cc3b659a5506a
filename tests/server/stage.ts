/**
 * The whole server over its own database, with users on it and a clock that only tests move. One
 * stage per file: a database takes a second to start, so tests share it and create their own users.
 */
import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll } from 'vitest';
import type { WirePackage } from '#contract/package.ts';
import { readPhone } from '#contract/phone.ts';
import type { WireUser } from '#contract/user.ts';
import { buildApp } from '#server/app.ts';
import { readConfig } from '#server/config/config.ts';
import { timeLimits } from '#server/config/timeouts.ts';
import type { Database, OpenDatabase } from '#server/database/database.ts';
import { type AccessTokens, createAccessTokens } from '#server/modules/auth/access-tokens.ts';
import { ensureFirstAdmin } from '#server/modules/auth/first-admin.ts';
import { hashPassword } from '#server/modules/auth/passwords.ts';
import { getOrCreateSetting } from '#server/modules/auth/repository.ts';
import { openSession } from '#server/modules/auth/session-service.ts';
import { adjust } from '#server/modules/ledger/service.ts';
import type { Pace } from '#server/modules/notifications/dispatcher.ts';
import { findUser, findUserByEmail, insertUser } from '#server/modules/users/repository.ts';
import { userInfoOf } from '#server/modules/users/user-view.ts';
import { checkAnswer } from './contract-check.ts';
import { openTestDatabase, type Reopening } from './databases.ts';

export const goodPassword = 'a-good-password';

export interface Person {
  id: string;
  email: string;
  token: string;
  /** 'kaya_refresh=…' as sent by the browser. */
  cookie: string;
}

export interface Answer<T> {
  status: number;
  body: T;
  headers: Record<string, string | string[] | number | undefined>;
  text: string;
}

/** Fields common to most response bodies. */
export interface AnyBody {
  message: string;
  code: string;
  fields: Record<string, string>;
  missing: number;
  accessToken: string;
  user: WireUser;
  current: WirePackage;
}

/** A package, or its id. */
type Named = { _id: string } | string;
type Patched = Answer<WirePackage & AnyBody>;

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT' | 'HEAD';

interface Send {
  body?: unknown;
  headers?: Record<string, string>;
  remoteAddress?: string;
}

/** How a second server differs from the first. */
interface Another extends Reopening {
  environment?: Record<string, string>;
  times?: Partial<typeof timeLimits>;
}

export interface Stage {
  readonly app: FastifyInstance;
  readonly database: OpenDatabase;
  readonly db: Database;
  /** All log lines so far. */
  readonly logs: string[];
  now(): Date;
  pass(ms: number): void;
  send<T = AnyBody>(
    who: Person | null,
    method: Method,
    path: string,
    how?: Send,
  ): Promise<Answer<T>>;
  /**
   * A user with a session, as a sign-up leaves them, and with a complete profile by default: written to the
   * database, because a password takes longer than all else.
   */
  person(role: 'Customer' | 'Employee', firstName?: string | null): Promise<Person>;
  /** One of each of these roles. */
  people<const R extends readonly ('Customer' | 'Employee')[]>(
    ...roles: R
  ): Promise<{ [K in keyof R]: Person }>;
  admin(): Promise<Person>;
  /** A PATCH of the user that `changes` names. */
  edit(by: Person, changes: object): Promise<Answer<AnyBody>>;
  /** Kobo that this person has more. */
  give(person: { id: string }, amountKobo: number): Promise<unknown>;
  /** A package that this sender has just created. */
  created(sender: Person, changes?: Record<string, unknown>): Promise<WirePackage>;
  /** A PATCH of a package or of what has this id; next, those that accept, give back and deliver it. */
  patch(who: Person, pkg: Named, body: object, headers?: Record<string, string>): Promise<Patched>;
  accept(courier: Person, pkg: Named): Promise<Patched>;
  reject(courier: Person, pkg: Named): Promise<Patched>;
  deliver(who: Person, pkg: Named): Promise<Patched>;
  signIn(email: string, password?: string, trustDevice?: boolean): Promise<Person>;
  /** Another session, for instance once the token has ended. */
  again(person: Pick<Person, 'id' | 'email'>): Promise<Person>;
  /** A second server on the same database, with this one's users and clock. */
  another(how?: Another): Promise<Stage>;
}

/** Status and code, to compare at once; the contract check pairs each code with its status. */
export const outcomeOf = ({ status, body }: { status: number; body: { code?: string } | null }) => [
  status,
  body?.code,
];

/** The code of a refusal, which the contract check pairs with its status; undefined if it is none. */
export const codeOf = async (answer: Promise<{ body: { code?: string } | null }>) =>
  (await answer).body?.code;

export function cookieOf(answer: Answer<unknown>): string {
  const header = answer.headers['set-cookie'];
  return String(Array.isArray(header) ? header[0] : header).split(';', 1)[0] ?? '';
}

/** What a user needs to send or accept packages. */
export const profile = { firstName: 'Amina', lastName: 'Bello', phoneNumber: '0803 123 4567' };

const adminAccount = { email: 'admin@kaya.test', password: goodPassword };

/** Retries after milliseconds. */
export const pushPace: Pace = {
  parallel: 4,
  held: 20,
  tries: 3,
  firstWaitMs: 5,
  longestWaitMs: 200,
};

async function openStage(environment: Record<string, string>, webFolder: string): Promise<Opened> {
  let nowMs = Date.parse('2026-11-21T09:00:00.000Z');
  const now = () => new Date(nowMs);
  const logs: string[] = [];
  const database = await openTestDatabase();
  const logTo = { write: (line: string) => void logs.push(line) };
  const build = (on: OpenDatabase, { environment: more, times }: Another = {}) =>
    buildApp({
      database: on,
      webFolder,
      now,
      logTo,
      push: pushPace,
      config: readConfig({ RATE_LIMIT: 'off', ...environment, ...more }),
      times: { ...timeLimits, ...times },
    });
  const app = await build(database);
  const pass = (ms: number) => {
    nowMs += ms;
  };
  const more: { app: FastifyInstance; database: OpenDatabase }[] = [];
  const another = async (how: Another = {}) => {
    const again = await database.again(how);
    const second = { app: await build(again, how), database: again, db: again.db };
    more.push(second);
    return { ...opened, ...second };
  };
  const close = async () => {
    for (const each of [...more, { app, database }]) {
      await each.app.close();
      await each.database.close();
    }
  };
  const secret =
    environment.JWT_SECRET ?? (await getOrCreateSetting(database.db, 'jwt_secret', ''));
  const tokens = createAccessTokens(secret, now);
  const opened = { app, database, db: database.db, logs, now, pass, another, close, tokens };
  return opened;
}

type Opened = Pick<Stage, 'app' | 'database' | 'db' | 'logs' | 'now' | 'pass'> & {
  tokens: AccessTokens;
  another(how?: Another): Promise<Opened>;
  close(): Promise<void>;
};

const isRaw = (body: unknown) => typeof body === 'string' || Buffer.isBuffer(body);

/** Hash of the one password that all people of the tests share. */
let passwordHash: Promise<string> | undefined;

function withPeople(opened: Opened): Stage {
  const { app, database, now, tokens } = opened;

  const send: Stage['send'] = async <T>(
    who: Person | null,
    method: Method,
    path: string,
    { body, headers = {}, remoteAddress }: Send = {},
  ) => {
    const response = await app.inject({
      method,
      url: path,
      headers: {
        ...(who ? { authorization: `Bearer ${who.token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: isRaw(body) ? body : JSON.stringify(body) }),
      ...(remoteAddress === undefined ? {} : { remoteAddress }),
    });
    const { statusCode: status, headers: answered, body: text } = response;
    checkAnswer(method, path, { status, headers: answered, text });
    const isJson = String(response.headers['content-type']).startsWith('application/json');
    return {
      status: response.statusCode,
      body: (isJson && response.body !== '' ? response.json() : null) as T,
      headers: response.headers,
      text: response.body,
    };
  };

  const signIn: Stage['signIn'] = async (email, password = goodPassword, trustDevice = false) => {
    const body = { email, password, trustDevice };
    const answer = await send(null, 'POST', '/api/auth/login', { body });
    if (answer.status !== 200) throw new Error(answer.text);
    const token = answer.body.accessToken;
    const { sub: id = '' } = decodeJwt(token);
    return { id, email, token, cookie: cookieOf(answer) };
  };

  const again: Stage['again'] = async ({ id, email }) => {
    const { db } = database;
    const user = await findUser(db, id);
    if (!user) throw new Error('There is no such user.');
    const opened = await db.transaction((tx) =>
      openSession(tx, now(), { userId: id, isTrusted: false, device: null }),
    );
    const token = await tokens.sign(userInfoOf(user), opened.sessionId);
    return { id, email, token, cookie: `kaya_refresh=${opened.refresh.token}` };
  };

  const person: Stage['person'] = async (role, firstName = 'Amina') => {
    const [id, at] = [randomUUID(), now()];
    const email = `${id}@kaya.test`;
    const phoneNumber = readPhone(profile.phoneNumber);
    const whole = firstName === null ? {} : { ...profile, phoneNumber, firstName, version: 2 };
    passwordHash ??= hashPassword(goodPassword);
    const row = { id, email, passwordHash: await passwordHash, roles: [role], ...whole };
    await insertUser(database.db, { ...row, createdAt: at, updatedAt: at });
    return again({ id, email });
  };

  const people: Stage['people'] = async <const R extends readonly ('Customer' | 'Employee')[]>(
    ...roles: R
  ) => {
    const all: Person[] = [];
    for (const role of roles) all.push(await person(role));
    return all as { [K in keyof R]: Person };
  };

  const admin = async () => {
    await ensureFirstAdmin(database, adminAccount, now());
    const user = await findUserByEmail(database.db, adminAccount.email);
    if (!user) throw new Error('There is no admin.');
    return again(user);
  };

  const created: Stage['created'] = async (sender, changes) => {
    const body = packageBody(changes);
    const answer = await send<WirePackage>(sender, 'POST', '/api/packages', { body });
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.body;
  };
  const patch: Stage['patch'] = (who, pkg, body, headers = {}) => {
    const id = typeof pkg === 'string' ? pkg : pkg._id;
    return send(who, 'PATCH', `/api/packages/${id}`, { body, headers });
  };
  const give: Stage['give'] = ({ id }, amountKobo) => {
    const gift = { userId: id, amountKobo, reason: 'A gift', actorId: id, now: now() };
    return database.db.transaction((tx) => adjust(tx, gift));
  };
  const packages = {
    edit: (by: Person, body: object) => send(by, 'PATCH', '/api/users', { body }),
    give,
    created,
    patch,
    accept: (courier: Person, pkg: Named) => patch(courier, pkg, acceptance(courier)),
    reject: (courier: Person, pkg: Named) => patch(courier, pkg, rejection),
    deliver: (who: Person, pkg: Named) => patch(who, pkg, { deliveryStatus: 'Delivered' }),
  };

  const another: Stage['another'] = async (how) => withPeople(await opened.another(how));
  return { ...opened, ...packages, send, signIn, again, person, people, admin, another };
}

/** Opens a stage before the file's tests and closes it after them. */
export function fileStage(
  environment: Record<string, string> = {},
  webFolder = '/nowhere',
): () => Stage {
  let opened: Opened | undefined;
  let stage: Stage | undefined;
  beforeAll(async () => {
    opened = await openStage(environment, webFolder);
    stage = withPeople(opened);
  });
  afterAll(() => opened?.close());
  return () => {
    if (!stage) throw new Error('The stage is not open yet.');
    return stage;
  };
}

export const refresh = (stage: Stage, cookie: string, headers: Record<string, string> = {}) =>
  stage.send(null, 'GET', '/api/auth/refresh', { headers: { ...headers, cookie } });

/** A package body any sender may submit. */
export function packageBody(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    pickupAddress: '12 Kofar Mata Road, Kano',
    deliveryAddress: '4 Zoo Road, Kano',
    recipientName: 'Musa Ibrahim',
    recipientPhone: '0805 765 4321',
    recipientEmail: 'musa@kaya.test',
    description: 'Two bolts of indigo cloth',
    pickupDate: '2026-11-22T08:00:00.000Z',
    priceOffer: 1500,
    paymentMethod: 'cash',
    ...changes,
  };
}

/** The bodies by which a courier accepts and rejects a package. */
export const acceptance = ({ id }: { id: string }) => ({
  deliveryPersonId: id,
  deliveryStatus: 'In Transit',
});
export const rejection = { deliveryPersonId: null, deliveryStatus: 'Pending' };
