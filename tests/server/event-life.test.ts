/** Lifetime of an event stream, and what a client receives after a gap. */
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildApp } from '#server/app.ts';
import { readConfig } from '#server/config/config.ts';
import { timeLimits } from '#server/config/timeouts.ts';
import type { Listener, OpenDatabase } from '#server/database/database.ts';
import { openPostgres } from '#server/database/postgres.ts';
import { addEvents } from '#server/modules/events/routes.ts';
import type { Authenticate } from '#server/plugins/authentication.ts';
import { startTcpProxy } from '#tests/fakes/tcp-proxy.ts';
import { makeDatabase, testDatabase } from './databases.ts';
import { closeSseClients, listenAs, listenOn, SseClient } from './sse-client.ts';
import { createdPackage, fileStage, goodPassword, type Person, packageBody } from './stage.ts';

const stage = fileStage();
let base = '';
let admin: Person;
closeSseClients();
beforeAll(async () => {
  base = await listenOn(stage().app);
  admin = await stage().admin();
});

const minuteMs = 60_000;
const beat = () => vi.advanceTimersByTime(timeLimits.heartbeatMs);
const change = (id: string, changes: object) =>
  stage().send(admin, 'PATCH', '/api/users', { body: { id, ...changes } });

describe('on each heartbeat a stream', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('sends a comment', async () => {
    const stream = await listenAs(await stage().person('Customer'), base);
    stream.text = '';
    beat();
    // Events of the user's own sign-up may come with it.
    const others = () => stream.text.replace(/event: [^\n]+\ndata: [^\n]*\n\n/g, '');
    await stream.until(() => others() !== '');
    expect(others()).toBe(':\n\n');
    expect(stream.hasEnded).toBe(false);
  });

  const ends: [string, (who: Person) => Promise<unknown>][] = [
    [
      'its session was logged out',
      ({ cookie }) => stage().send(null, 'POST', '/api/auth/logout', { headers: { cookie } }),
    ],
    ['its user was deactivated', ({ id }) => change(id, { active: false })],
    ['its user got another password', ({ id }) => change(id, { password: 'another-one' })],
  ];

  it.each(ends)('ends if %s', async (_, end) => {
    const person = await stage().person('Customer');
    const [stream, other] = await Promise.all([
      listenAs(person, base),
      listenAs(await stage().person('Customer'), base),
    ]);
    await end(person);
    other.text = '';
    beat();
    await stream.until(() => stream.hasEnded);
    await other.until(() => other.text.includes(':\n\n'));
    expect(other.hasEnded).toBe(false);
    const again = await new SseClient().open(person, base);
    expect(again.status).not.toBe(200);
  });

  it('ends with its access token; the next token continues', async () => {
    const person = await stage().person('Customer');
    const stream = await listenAs(person, base);
    stage().pass(15 * minuteMs - 1000);
    stream.text = '';
    beat();
    await stream.until(() => stream.text !== '');
    expect(stream.hasEnded).toBe(false);
    stage().pass(1000);
    beat();
    await stream.until(() => stream.hasEnded);
    const headers = { cookie: person.cookie };
    const { body } = await stage().send(null, 'GET', '/api/auth/refresh', { headers });
    const next = await listenAs({ ...person, token: body.accessToken }, base);
    expect(next.status).toBe(200);
    admin = await stage().admin();
  });

  it('applies the current roles of its user', async () => {
    const sender = await stage().person('Customer');
    const person = await stage().person('Customer');
    const stream = await listenAs(person, base);
    const itself = () => change(person.id, { address: '4 Zoo Road' });
    await createdPackage(stage(), sender);
    await change(person.id, { roles: ['Employee'] });
    await stream.until(() => stream.events > 0);
    stream.text = '';
    beat();
    await stream.until(() => stream.text.includes(':\n\n'));
    stream.text = '';
    // On offer to every courier, which this user now is.
    await createdPackage(stage(), sender);
    await stream.until(() => stream.events > 0);
    await change(person.id, { roles: ['Customer'] });
    await stream.until(() => stream.events > 1);
    beat();
    await stream.until(() => stream.text.includes(':\n\n'));
    stream.text = '';
    await createdPackage(stage(), sender);
    await itself();
    await stream.until(() => stream.events > 0);
    expect(stream.events).toBe(1);
  });
});

/** The events alone, over a stubbed database. */
async function alone(authenticate: Authenticate) {
  const app = Fastify();
  const responses: NodeJS.WritableStream[] = [];
  let hear: Listener | undefined;
  const database: OpenDatabase = {
    ...stage().database,
    listen: async (_, listener) => {
      hear = listener;
      return async () => {};
    },
  };
  app.addHook('onRequest', async (_, reply) => void responses.push(reply.raw));
  await addEvents({ app, database, authenticate, times: timeLimits });
  await listenOn(app);
  return { app, responses, say: () => hear?.onGap() };
}

const actor = { id: 'a', role: 'Customer', isProfileComplete: true } as const;
const caller = { actor, sessionId: 's' };

/** A client that reads the stream only on request. */
async function ask(app: FastifyInstance): Promise<Socket> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write('GET /api/events HTTP/1.1\r\nHost: kaya\r\n\r\n');
  return socket;
}

describe('a client', () => {
  it('that does not read is cut before the server buffers much for it', async () => {
    const { app, responses, say } = await alone(async () => caller);
    const socket = await ask(app);
    await once(socket, 'readable');
    const response = responses[0];
    if (!response) throw new Error('Nobody asked.');
    const closed = once(response, 'close');
    // More than both kernels buffer for a client that does not read.
    response.write('x'.repeat(64 * 1024 * 1024));
    say();
    await closed;
    socket.resume();
    await once(socket, 'close');
    await app.close();
  });

  it('that disconnects before its session is found gets no listener', async () => {
    let find = () => {};
    const found = new Promise<void>((resolve) => {
      find = resolve;
    });
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const { app, responses } = await alone(async () => {
        asked();
        await found;
        return caller;
      });
      const socket = await ask(app);
      await isAsked;
      const response = responses[0];
      if (!response) throw new Error('Nobody asked.');
      const closed = once(response, 'close');
      socket.destroy();
      await closed;
      find();
      await found;
      // The rest of that request needs no I/O.
      await new Promise((resolve) => setImmediate(resolve));
      expect(vi.getTimerCount()).toBe(0);
      await app.close();
    } finally {
      vi.useRealTimers();
    }
  });
});

describe.runIf(testDatabase === 'postgres')('two servers on one PostgreSQL', () => {
  const config = readConfig({ RATE_LIMIT: 'off', LOG_LEVEL: 'silent' });

  async function serverOn(database: OpenDatabase): Promise<{ app: FastifyInstance; at: string }> {
    const app = await buildApp({ config, database, webFolder: '/nowhere' });
    return { app, at: await listenOn(app) };
  }

  async function senderAt(app: FastifyInstance): Promise<Person> {
    const email = 'sender@kaya.test';
    const payload = { email, password: goodPassword, role: 'Customer' };
    const { json } = await app.inject({ method: 'POST', url: '/api/auth/signup', payload });
    const { accessToken: token, user } = json();
    const profile = { firstName: 'Amina', lastName: 'Bello', phoneNumber: '0803 123 4567' };
    const headers = { authorization: `Bearer ${token}` };
    const body = { id: user._id, ...profile };
    await app.inject({ method: 'PATCH', url: '/api/users', headers, payload: body });
    return { id: user._id, email, token, cookie: '' };
  }

  it('a change made while one server is not listening reaches its streams after it reconnects', async () => {
    const made = await makeDatabase('migrated');
    const place = new URL(made.url);
    const proxy = await startTcpProxy({ host: place.hostname, port: Number(place.port) });
    place.hostname = '127.0.0.1';
    place.port = String(proxy.port);
    const behind = await openPostgres(place.href);
    const direct = await openPostgres(made.url);
    // Created before either listens: their notifications could still be in flight.
    const first = await serverOn(direct);
    const sender = await senderAt(first.app);
    await first.app.close();
    const [deaf, hearing] = [await serverOn(behind), await serverOn(direct)];
    const create = async () => {
      const headers = { authorization: `Bearer ${sender.token}` };
      const payload = packageBody();
      const what = { method: 'POST', url: '/api/packages', headers, payload } as const;
      expect((await hearing.app.inject(what)).statusCode).toBe(201);
    };
    const [there, here] = [await listenAs(sender, deaf.at), await listenAs(sender, hearing.at)];
    await create();
    await Promise.all([there, here].map((stream) => stream.until(() => stream.events > 0)));
    for (const stream of [there, here]) stream.text = '';

    await proxy.cut();
    await create();
    await here.until(() => here.events > 0);
    expect([there.events, there.hasEnded]).toEqual([0, false]);
    await proxy.restore();
    await there.until(() => there.events > 0);
    for (const stream of [there, here]) stream.text = '';
    await create();
    await Promise.all([there, here].map((stream) => stream.until(() => stream.events > 0)));

    for (const { app } of [deaf, hearing]) await app.close();
    for (const database of [behind, direct]) await database.close();
    await proxy.close();
    await made.drop();
  });
});
