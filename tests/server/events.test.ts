/** Server-sent events through a listening app: recipients, lifetime, and what a gap brings. */
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import Fastify from 'fastify';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { timeLimits } from '#server/config/timeouts.ts';
import type { Listener, OpenDatabase } from '#server/database/database.ts';
import { createHub, streamsPerUser } from '#server/modules/events/hub.ts';
import { readNotification } from '#server/modules/events/notification.ts';
import { addEvents } from '#server/modules/events/routes.ts';
import type { Authenticate } from '#server/plugins/authentication.ts';
import type { TcpProxy } from '#tests/fakes/tcp-proxy.ts';
import { barrier } from './barrier.ts';
import { startPostgresProxy, testDatabase } from './databases.ts';
import { closeSseClients, listenAs, listenOn, SseClient } from './sse-client.ts';
import { fileStage, type Person } from './stage.ts';

let proxy: TcpProxy | undefined;
// After the stage: its connections go through the proxy.
afterAll(() => proxy?.close());
const stage = fileStage();
let base = '';
let admin: Person;
closeSseClients();

beforeAll(async () => {
  base = await listenOn(stage().app);
  admin = await stage().admin();
});

/** Returns once the server has heard all changes so far: they come in their order. */
async function allIsHeard(): Promise<void> {
  const last = await stage().person('Customer');
  const stream = await listenAs(last, base);
  await stage().edit(last, { id: last.id, address: 'Zoo Road' });
  await stream.until(() => stream.events > 0);
}

describe('a stream', () => {
  it('starts immediately with a retry interval, past any buffer', async () => {
    const stream = await listenAs(await stage().person('Customer'), base);
    // Events of the user's own sign-up may follow.
    expect(stream.text).toMatch(/^retry: 5000\n:\n\n/);
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    expect(stream.headers.get('cache-control')).toContain('no-transform');
    expect(stream.headers.get('x-accel-buffering')).toBe('no');
  });

  it('announces a change only to those who may see it', async () => {
    const [sender, stranger, courier, bystander] = await Promise.all([
      stage().person('Customer'),
      stage().person('Customer'),
      stage().person('Employee'),
      stage().person('Employee'),
    ]);
    const pkg = await stage().created(sender);
    await stage().accept(courier, pkg);
    await allIsHeard();
    const [ofSender, ofCourier, ofStranger, ofBystander, ofAdmin] = await Promise.all(
      [sender, courier, stranger, bystander, admin].map((who) => listenAs(who, base)),
    );
    if (!(ofSender && ofCourier && ofStranger && ofBystander && ofAdmin)) throw new Error('deaf');
    await stage().deliver(courier, pkg);
    await Promise.all(
      [ofSender, ofCourier, ofAdmin].map((stream) => stream.until(() => stream.events > 0)),
    );
    // A later change of theirs: earlier events would have arrived before it.
    const profile = (who: Person) => ({ body: { id: who.id, address: 'Zoo Road' } });
    await stage().send(stranger, 'PATCH', '/api/users', profile(stranger));
    await ofStranger.until(() => ofStranger.events > 0);
    expect([ofStranger.events, ofBystander.events]).toEqual([1, 0]);
    await stage().created(sender);
    await ofBystander.until(() => ofBystander.events > 0);
    expect(ofStranger.events).toBe(1);
  });

  it('announces changes made through another server on the same database', async () => {
    const second = await stage().another();
    const at = await listenOn(second.app);
    const sender = await stage().person('Customer');
    const [here, there] = await Promise.all([listenAs(sender, base), listenAs(sender, at)]);
    for (const server of [stage(), second]) {
      for (const stream of [here, there]) stream.text = '';
      await server.created(sender);
      await Promise.all([here, there].map((stream) => stream.until(() => stream.events > 0)));
    }
    // A stop does not wait for open streams.
    await second.app.close();
    await there.until(() => there.hasEnded);
    expect(here.hasEnded).toBe(false);
  });

  it.each([
    '',
    '?rows=1',
  ])('is one of six per user; the seventh closes the oldest: /api/events%s', async (query) => {
    const person = await stage().person('Customer');
    const open = () => listenAs(person, base, query);
    const first = await open();
    const rest = [];
    for (let nth = 1; nth <= streamsPerUser; nth += 1) rest.push(await open());
    await first.until(() => first.hasEnded);
    expect(rest.map(({ hasEnded }) => hasEnded)).toEqual(rest.map(() => false));
  });
});

describe('the hub', () => {
  const streamOf = (userId: string, role: 'Customer' | 'Employee' | 'Admin', hasRows = false) => {
    const tell = () => {
      told.count += 1;
    };
    const told = { count: 0, userId, role, hasRows, tell, end: () => {} };
    return told;
  };
  const say = (users: string[], couriers = false) => JSON.stringify({ users, couriers });

  it('merges a burst into one immediate event and one after it', async () => {
    const hub = createHub();
    const stream = streamOf('a', 'Customer');
    hub.add(stream);
    const second = new Promise<void>((resolve) => {
      const { tell } = stream;
      stream.tell = () => {
        tell();
        if (stream.count === 2) resolve();
      };
    });
    for (let nth = 0; nth < 50; nth += 1) hub.hear(readNotification(say(['a'])));
    expect(stream.count).toBe(1);
    await second;
    expect(stream.count).toBe(2);
  });

  it.each<[string, string | null, number[]]>([
    // The last two carry rows: in doubt they hear from the feed.
    ['to all after a gap', null, [1, 1, 1, 0, 0]],
    ['shared changes to all', say(['*']), [1, 1, 1, 1, 1]],
    ['unreadable text to all', 'not json', [1, 1, 1, 0, 0]],
    ['unreadable users to all', '{"users":1}', [1, 1, 1, 0, 0]],
    ['offers to couriers and admins', say(['x'], true), [0, 1, 1, 0, 1]],
    ['a change of one user to that user and admins', say(['a']), [1, 0, 1, 1, 0]],
  ])('announces %s', (_, message, counts) => {
    const hub = createHub();
    const streams = [
      ...[streamOf('a', 'Customer'), streamOf('b', 'Employee'), streamOf('c', 'Admin')],
      ...[streamOf('a', 'Customer', true), streamOf('b', 'Employee', true)],
    ];
    for (const one of streams) hub.add(one);
    hub.hear(message === null ? null : readNotification(message));
    expect(streams.map(({ count }) => count)).toEqual(counts);
  });
});

const minuteMs = 60_000;
const beat = () => vi.advanceTimersByTime(timeLimits.heartbeatMs);
const change = (id: string, changes: object) => stage().edit(admin, { id, ...changes });

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
    const [sender, person] = await stage().people('Customer', 'Customer');
    const stream = await listenAs(person, base);
    const itself = () => change(person.id, { address: '4 Zoo Road' });
    await stage().created(sender);
    await change(person.id, { roles: ['Employee'] });
    await stream.until(() => stream.events > 0);
    stream.text = '';
    beat();
    await stream.until(() => stream.text.includes(':\n\n'));
    stream.text = '';
    // On offer to every courier, which this user now is.
    await stage().created(sender);
    await stream.until(() => stream.events > 0);
    await change(person.id, { roles: ['Customer'] });
    await stream.until(() => stream.events > 1);
    beat();
    await stream.until(() => stream.text.includes(':\n\n'));
    stream.text = '';
    await stage().created(sender);
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
async function ask(app: FastifyInstance, query = ''): Promise<Socket> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(`GET /api/events${query} HTTP/1.1\r\nHost: kaya\r\n\r\n`);
  return socket;
}

describe('a client', () => {
  it.each([
    '',
    '?rows=1',
  ])('that does not read is cut before the server buffers much for it: %j', async (query) => {
    const { app, responses, say } = await alone(async () => caller);
    const socket = await ask(app, query);
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
    const [asked, found] = [barrier(), barrier()];
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const { app, responses } = await alone(async () => {
        asked.open();
        await found.passed;
        return caller;
      });
      const socket = await ask(app);
      await asked.passed;
      const response = responses[0];
      if (!response) throw new Error('Nobody asked.');
      const closed = once(response, 'close');
      socket.destroy();
      await closed;
      found.open();
      await found.passed;
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
  it('a change made while one server is not listening reaches its streams after it reconnects', async () => {
    proxy = await startPostgresProxy();
    // Created before either listens: their notifications could still be in flight.
    const sender = await stage().person('Customer');
    const [deaf, hearing] = [await stage().another({ proxy }), await stage().another()];
    const there = await listenAs(sender, await listenOn(deaf.app));
    const here = await listenAs(sender, await listenOn(hearing.app));
    const streams = [there, here];
    const bothHear = () =>
      Promise.all(streams.map((stream) => stream.until(() => stream.events > 0)));
    await hearing.created(sender);
    await bothHear();
    for (const stream of streams) stream.text = '';

    await proxy.cut();
    await hearing.created(sender);
    await here.until(() => here.events > 0);
    expect([there.events, there.hasEnded]).toEqual([0, false]);
    await proxy.restore();
    await there.until(() => there.events > 0);
    for (const stream of streams) stream.text = '';
    await hearing.created(sender);
    await bothHear();
  });
});
