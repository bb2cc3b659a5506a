/** Real server processes on their own storage, and a client for them. */
import { randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { OpenDatabase } from '#server/database/database.ts';
import { openEmbedded } from '#server/database/pglite.ts';
import { openPostgres } from '#server/database/postgres.ts';
import { fillDataFolder } from '#tests/fakes/data-folder.ts';
import { makeDatabase, testDatabase } from './databases.ts';
import { goodPassword } from './stage.ts';

/** Data folders for the tests of a file, removed after them. */
export function dataFolders(): () => string {
  const home = mkdtempSync(path.join(tmpdir(), 'kaya-process-'));
  const cluster = path.join(home, 'cluster');
  let folders = 0;
  beforeAll(() => fillDataFolder(cluster));
  afterAll(() => rmSync(home, { recursive: true, force: true }));
  return () => {
    folders += 1;
    const folder = path.join(home, `data-${folders}`);
    cpSync(cluster, folder, { recursive: true });
    return folder;
  };
}

/** The storage of a server. */
export interface Storage {
  /** The setting that names it. */
  env: Record<string, string>;
  /** Opened from the test; an embedded one only while no server uses it. */
  open(): Promise<OpenDatabase>;
}

/** Creates empty storages of this run's kind, data folders or databases. Removed after the file. */
export function storages(): () => Promise<Storage> {
  if (testDatabase === 'pglite') {
    const freshFolder = dataFolders();
    return async () => {
      const folder = freshFolder();
      return { env: { DATA_DIR: folder }, open: () => openEmbedded(folder) };
    };
  }
  const made: Awaited<ReturnType<typeof makeDatabase>>[] = [];
  afterAll(() => Promise.all(made.map(({ drop }) => drop())));
  return async () => {
    const database = await makeDatabase('migrated');
    made.push(database);
    return { env: { DATABASE_URL: database.url }, open: () => openPostgres(database.url) };
  };
}

export interface Extras {
  token?: string;
  key?: string;
  /** Text is sent as it is, anything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** One call to a running server; rejects without a complete answer. */
export async function call<T>(
  url: string,
  method: string,
  at: string,
  { token, key, body, headers = {} }: Extras = {},
): Promise<{ status: number; body: T }> {
  const response = await fetch(`${url}${at}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as T };
}

/** Null without a complete answer, as when the server dies. */
export async function answerOf<T>(calling: Promise<T>): Promise<T | null> {
  try {
    return await calling;
  } catch (error) {
    if (error instanceof TypeError || error instanceof SyntaxError) return null;
    throw error;
  }
}

export interface Account {
  id: string;
  email: string;
  token: string;
}

/** Signs up a new user with a complete profile. */
export async function register(
  url: string,
  role: 'Customer' | 'Employee',
  email = `${randomUUID()}@kaya.test`,
): Promise<Account> {
  const body = { email, password: goodPassword, role };
  const signedUp = await call<{ accessToken: string; user: { _id: string } }>(
    url,
    'POST',
    '/api/auth/signup',
    { body },
  );
  const { accessToken: token, user } = signedUp.body;
  const profile = { firstName: 'Amina', lastName: 'Bello', phoneNumber: '0803 123 4567' };
  await call(url, 'PATCH', '/api/users', { token, body: { id: user._id, ...profile } });
  return { id: user._id, email, token };
}

/** Returns the token of a new sender. */
export async function signUp(url: string, email?: string): Promise<string> {
  return (await register(url, 'Customer', email)).token;
}
