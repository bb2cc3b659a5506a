import { describe, expect, it } from 'vitest';
import { createEventReader } from '#api/events.ts';
import { ApiFailure } from '#api/failure.ts';
import type { Area } from '#contract/area.ts';
import { packageFromWire } from '#domain/package.ts';
import { createServerEvents } from '#sync/pull/server-events.ts';
import { ids, wirePackage } from '#tests/builders/package.ts';
import { createFakeClock, createFakeLocks } from '#tests/fakes/browser.ts';
import { clientOver, denied, failureOf, fresh, json } from './network.ts';

const encoder = new TextEncoder();

/** A server stream controlled by the test. */
function createStream() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (own) => {
      controller = own;
    },
  });
  const headers = { 'content-type': 'text/event-stream; charset=utf-8' };
  return {
    response: new Response(body, { headers }),
    say: (text: string) => controller?.enqueue(encoder.encode(text)),
    end: () => controller?.close(),
    cut: () => controller?.error(new TypeError('terminated')),
  };
}

const change = 'event: change\ndata: {}\n\n';
const event = (name: string, data: unknown) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** What one call of `listenForChanges` received. */
function ear(area: Area | null = null) {
  const stopping = new AbortController();
  const heard: unknown[] = [];
  let notify = () => {};
  const note =
    (what: string) =>
    (...details: unknown[]) => {
      heard.push(details.length > 0 ? [what, ...details] : what);
      notify();
    };
  return {
    heard,
    stop: () => stopping.abort(),
    listener: {
      signal: stopping.signal,
      area,
      onOpen: note('open'),
      onHello: note('hello'),
      onRows: note('rows'),
      onUnreadable: note('unreadable'),
      onChange: note('change'),
    },
    async until(count: number) {
      while (heard.length < count) await new Promise<void>((resolve) => (notify = resolve));
    },
  };
}

describe('the event stream', () => {
  it('reports each change, wherever the network splits it', () => {
    const text = `retry: 5000\n:\n\n${change}:\n\n${change.replaceAll('\n', '\r\n')}`;
    for (let at = 0; at <= text.length; at += 1) {
      const events: unknown[] = [];
      const read = createEventReader((...one) => events.push(one));
      read(text.slice(0, at));
      read(text.slice(at));
      const one = ['change', '{}'];
      expect(events, `cut at ${at}`).toEqual([one, one]);
    }
  });

  it('gives the data of several lines as one, and none of what is too long', () => {
    const long = `event: rows\ndata: ${'x'.repeat(60)}\n\n`;
    const many = `event: rows\n${'data: xxxxxxxxxx\n'.repeat(5)}\n`;
    const text = `data: a\ndata:b\n\n${long}${many}event: hello\ndata: c\n\n`;
    for (let at = 0; at <= text.length; at += 1) {
      const events: unknown[] = [];
      const read = createEventReader((...one) => events.push(one), 50);
      read(text.slice(0, at));
      read(text.slice(at));
      expect(events, `cut at ${at}`).toEqual([
        ['message', 'a\nb'],
        ['rows', null],
        ['rows', null],
        ['hello', 'c'],
      ]);
    }
  });

  it('brings rows and removals as a pull does, and says what it cannot read', async () => {
    const stream = createStream();
    const client = clientOver(() => stream.response);
    const { heard, listener, until, stop } = ear({ lat: 12, lng: 8.52, km: 10 });
    const listening = client.api.listenForChanges(listener);
    await until(1);
    stream.say(event('hello', { at: 'a' }));
    const packages = [wirePackage(), { _id: ids.courier, removed: true, version: 3 }];
    stream.say(event('rows', { from: 'a', to: 'b', packages }));
    stream.say(event('surprise', { of: 'a newer server' }));
    stream.say(event('rows', { from: 'b', to: 'c', packages: [{ _id: 'x' }] }));
    stream.say('event: rows\ndata: {"from": "b"\n\n');
    await until(5);
    const [, , batch] = heard;
    expect(heard).toEqual([
      'open',
      ['hello', 'a'],
      [
        'rows',
        {
          from: 'a',
          to: 'b',
          rows: [packageFromWire(wirePackage())],
          removals: [{ id: ids.courier, version: 3 }],
          length: (batch as [string, { length: number }])[1].length,
        },
      ],
      'unreadable',
      'unreadable',
    ]);
    const { searchParams } = new URL(client.sent[0]?.request.url ?? '');
    expect(Object.fromEntries(searchParams)).toEqual({ rows: '1', area: '12,8.52,10' });
    stop();
    await listening;
  });

  it('sends the token, reopens with a fresh one after a 401, and ends on abort', async () => {
    const stream = createStream();
    const client = clientOver((sent) => {
      if (sent.route === 'GET /api/auth/refresh') return json({ accessToken: fresh });
      return sent.bearer === `Bearer ${fresh}` ? stream.response : denied();
    });
    const { heard, listener, stop, until } = ear();
    const listening = client.api.listenForChanges(listener);
    await until(1);
    stream.say(`:\n\n${change}`);
    await until(2);
    expect(heard).toEqual(['open', 'change']);
    stop();
    await listening;
    expect(client.routes()).toEqual([
      'GET /api/events',
      'GET /api/auth/refresh',
      'GET /api/events',
    ]);
  });

  it('is closed when it falls silent, since the client has its own time limit', async () => {
    const client = clientOver(() => createStream().response, { silenceMs: 20 });
    expect(await failureOf(client.api.listenForChanges(ear().listener))).toMatchObject({
      kind: 'timeout',
    });
  });

  it('rejects HTML with a 200 from an intermediary', async () => {
    const portal = () =>
      new Response('<html>Pay here</html>', { headers: { 'content-type': 'text/html' } });
    const { heard, listener } = ear();
    const failure = await failureOf(clientOver(portal).api.listenForChanges(listener));
    expect(failure.kind).toBe('malformed');
    expect(heard).toEqual([]);
  });

  it('that breaks is a network failure; one that ends is not', async () => {
    const broken = createStream();
    const ended = createStream();
    const streams = [broken, ended];
    const client = clientOver(() => streams.shift()?.response ?? denied());
    const first = ear();
    const breaking = client.api.listenForChanges(first.listener);
    await first.until(1);
    broken.cut();
    expect(await failureOf(breaking)).toMatchObject({ kind: 'network' });
    const second = ear();
    const ending = client.api.listenForChanges(second.listener);
    await second.until(1);
    ended.end();
    await ending;
  });
});

/** Tabs of one user over one server, with streams controlled by the test. */
function createTabs(random = () => 0.5) {
  const clock = createFakeClock();
  const locks = createFakeLocks();
  const open: {
    tab: string;
    hello(): void;
    change(): void;
    reconnect(): void;
    end(error?: unknown): void;
  }[] = [];
  const heard: string[] = [];
  let refusal: unknown = null;
  let tries = 0;
  let reconnect = () => {};
  const tab = (name: string) =>
    createServerEvents({
      api: {
        listenForChanges({ signal, onOpen, onHello, onChange }) {
          tries += 1;
          if (refusal) return Promise.reject(refusal);
          return new Promise((resolve, reject) => {
            const stream = {
              tab: name,
              hello: () => onHello('a'),
              change: onChange,
              reconnect: () => reconnect(),
              end(error?: unknown) {
                open.splice(open.indexOf(stream), 1);
                if (error) reject(error);
                else resolve();
              },
            };
            open.push(stream);
            onOpen();
            signal.addEventListener('abort', () => stream.end());
          });
        },
      },
      locks: locks.openTab(),
      clock,
      random,
      userId: 'u',
      engine: {
        request: () => heard.push(name),
        openStream: async (again) => {
          reconnect = again;
          return {
            area: null,
            rows: () => {},
            unreadable: () => {},
            close: () => {},
            hello: () => heard.push(`${name} hello`),
          };
        },
      },
    });
  return {
    tab,
    clock,
    open,
    heard,
    listening: () => open.map((stream) => stream.tab),
    tries: () => tries,
    refuseWith: (error: unknown) => {
      refusal = error;
    },
  };
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
const offline = new ApiFailure({ kind: 'network', status: 0, code: '', message: '' });

describe('listening', () => {
  it('is done by one visible tab; another takes over when it is hidden', async () => {
    const tabs = createTabs();
    const [first, second] = [tabs.tab('first'), tabs.tab('second')];
    first.setSeen(true);
    second.setSeen(true);
    await settle();
    expect(tabs.listening()).toEqual(['first']);
    first.setSeen(false);
    await settle();
    expect(tabs.listening()).toEqual(['second']);
    second.setSeen(false);
    await settle();
    expect(tabs.listening()).toEqual([]);
  });

  it('pulls when the stream of an older server opens, for earlier changes, and at each change', async () => {
    const tabs = createTabs();
    tabs.tab('only').setSeen(true);
    await settle();
    tabs.clock.advance(2_000);
    expect(tabs.heard).toEqual(['only']);
    tabs.open[0]?.change();
    expect(tabs.heard).toEqual(['only', 'only']);
  });

  it('leaves the first pull to the engine where the server sends rows', async () => {
    const tabs = createTabs();
    tabs.tab('only').setSeen(true);
    await settle();
    tabs.open[0]?.hello();
    tabs.clock.advance(600_000);
    expect(tabs.heard).toEqual(['only hello']);
  });

  it('connects again, after a back-off, once the engine has no use for the stream', async () => {
    const tabs = createTabs(() => 0.999);
    tabs.tab('only').setSeen(true);
    await settle();
    tabs.open[0]?.hello();
    tabs.open[0]?.reconnect();
    await settle();
    expect(tabs.listening()).toEqual([]);
    expect(tabs.clock.pending()).toEqual([999]);
    tabs.clock.advance(999);
    await settle();
    expect(tabs.listening()).toEqual(['only']);
  });

  it('backs off while the server is away, and retries when the network may be back', async () => {
    const tabs = createTabs(() => 0.999);
    tabs.refuseWith(offline);
    const events = tabs.tab('only');
    events.setSeen(true);
    await settle();
    const waits: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      waits.push(tabs.clock.pending()[0] ?? Number.NaN);
      tabs.clock.advance(waits.at(-1) ?? 0);
      await settle();
    }
    expect(waits).toEqual([999, 1998, 3996, 7992]);
    tabs.refuseWith(null);
    events.wake();
    await settle();
    expect(tabs.listening()).toEqual(['only']);
    tabs.open[0]?.hello();
    expect(tabs.clock.pending()).toEqual([]);
  });

  it('reconnects soon after a stream that worked, however many there were', async () => {
    const tabs = createTabs(() => 0.999);
    tabs.tab('only').setSeen(true);
    await settle();
    for (let round = 0; round < 5; round += 1) {
      tabs.open[0]?.hello();
      tabs.clock.advance(31_000);
      tabs.open[0]?.end(round % 2 ? offline : undefined);
      await settle();
      expect(tabs.clock.pending()).toEqual([999]);
      tabs.clock.advance(1000);
      await settle();
    }
  });

  it('stops once the session is over', async () => {
    const tabs = createTabs();
    const over = { kind: 'http', status: 401, code: 'session_expired', message: '' } as const;
    tabs.refuseWith(new ApiFailure(over));
    tabs.tab('only').setSeen(true);
    await settle();
    tabs.clock.advance(600_000);
    await settle();
    expect(tabs.tries()).toBe(1);
  });
});
