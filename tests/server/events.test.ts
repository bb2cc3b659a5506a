/** Server-sent events through a listening app: recipients and lifetime. */
import { beforeAll, describe, expect, it } from 'vitest';
import { createHub, streamsPerUser } from '#server/modules/events/hub.ts';
import { closeSseClients, listenAs as hear, listenOn } from './sse-client.ts';
import { createdPackage, fileStage, type Person } from './stage.ts';

const stage = fileStage();
let base = '';
closeSseClients();

beforeAll(async () => {
  base = await listenOn(stage().app);
});

const listenAs = (who: Person, at = base) => hear(who, at);

const accept = (courier: Person, id: string) =>
  stage().send(courier, 'PATCH', `/api/packages/${id}`, {
    body: { deliveryPersonId: courier.id, deliveryStatus: 'In Transit' },
  });

describe('a stream', () => {
  it('starts immediately with a retry interval, past any buffer', async () => {
    const stream = await listenAs(await stage().person('Customer'));
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
    const pkg = await createdPackage(stage(), sender);
    await accept(courier, pkg._id);
    const admin = await stage().admin();
    const [ofSender, ofCourier, ofStranger, ofBystander, ofAdmin] = await Promise.all(
      [sender, courier, stranger, bystander, admin].map((who) => listenAs(who)),
    );
    if (!(ofSender && ofCourier && ofStranger && ofBystander && ofAdmin)) throw new Error('deaf');
    const delivered = { body: { deliveryStatus: 'Delivered' } };
    await stage().send(courier, 'PATCH', `/api/packages/${pkg._id}`, delivered);
    await Promise.all(
      [ofSender, ofCourier, ofAdmin].map((stream) => stream.until(() => stream.events > 0)),
    );
    // A later change of theirs: earlier events would have arrived before it.
    const profile = (who: Person) => ({ body: { id: who.id, address: 'Zoo Road' } });
    await stage().send(stranger, 'PATCH', '/api/users', profile(stranger));
    await ofStranger.until(() => ofStranger.events > 0);
    expect([ofStranger.events, ofBystander.events]).toEqual([1, 0]);
    await createdPackage(stage(), sender);
    await ofBystander.until(() => ofBystander.events > 0);
    expect(ofStranger.events).toBe(1);
  });

  it('announces changes made through another server on the same database', async () => {
    const second = await stage().another();
    const at = await listenOn(second.app);
    const sender = await stage().person('Customer');
    const [here, there] = await Promise.all([listenAs(sender), listenAs(sender, at)]);
    for (const server of [stage(), second]) {
      for (const stream of [here, there]) stream.text = '';
      await createdPackage(server, sender);
      await Promise.all([here, there].map((stream) => stream.until(() => stream.events > 0)));
    }
    // A stop does not wait for open streams.
    await second.app.close();
    await there.until(() => there.hasEnded);
    expect(here.hasEnded).toBe(false);
  });

  it('is one of six per user; the seventh closes the oldest', async () => {
    const person = await stage().person('Customer');
    const first = await listenAs(person);
    const rest = [];
    for (let nth = 1; nth <= streamsPerUser; nth += 1) rest.push(await listenAs(person));
    await first.until(() => first.hasEnded);
    expect(rest.map(({ hasEnded }) => hasEnded)).toEqual(rest.map(() => false));
  });
});

describe('the hub', () => {
  const streamOf = (userId: string, role: 'Customer' | 'Employee' | 'Admin') => {
    const tell = () => {
      told.count += 1;
    };
    const told = { count: 0, userId, role, tell, end: () => {} };
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
    for (let nth = 0; nth < 50; nth += 1) hub.onMessage(say(['a']));
    expect(stream.count).toBe(1);
    await second;
    expect(stream.count).toBe(2);
  });

  it('announces to all after a gap, for shared changes and for unreadable notifications', () => {
    const everybody = [() => 'gap', () => say(['*']), () => 'not json', () => '{"users":1}'];
    for (const message of everybody) {
      const hub = createHub();
      const streams = [
        streamOf('a', 'Customer'),
        streamOf('b', 'Employee'),
        streamOf('c', 'Admin'),
      ];
      for (const one of streams) hub.add(one);
      if (message() === 'gap') hub.onGap();
      else hub.onMessage(message());
      expect(streams.map(({ count }) => count)).toEqual([1, 1, 1]);
    }
  });

  it('announces offers to couriers, everything to admins, and changes to the named', () => {
    const hub = createHub();
    const streams = [streamOf('a', 'Customer'), streamOf('b', 'Employee'), streamOf('c', 'Admin')];
    for (const one of streams) hub.add(one);
    hub.onMessage(say(['x'], true));
    expect(streams.map(({ count }) => count)).toEqual([0, 1, 1]);
  });
});
