import { describe, expect, it } from 'vitest';
import { createEventReader } from '#api/events.ts';
import { ApiFailure } from '#api/failure.ts';
import { createServerEvents } from '#sync/pull/server-events.ts';
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

/** What one call of `listenForChanges` received. */
function ear() {
  const stopping = new AbortController();
  const heard: string[] = [];
  let notify = () => {};
  const note = (what: string) => () => {
    heard.push(what);
    notify();
  };
  return {
    heard,
    stop: () => stopping.abort(),
    listener: { signal: stopping.signal, onOpen: note('open'), onChange: note('change') },
    async until(count: number) {
      while (heard.length < count) await new Promise<void>((resolve) => (notify = resolve));
    },
  };
}

describe('the event stream', () => {
  it('reports each change, wherever the network splits it', () => {
    const text = `retry: 5000\n:\n\n${change}:\n\n${change.replaceAll('\n', '\r\n')}`;
    for (let at = 0; at <= text.length; at += 1) {
      const names: string[] = [];
      const read = createEventReader((name) => names.push(name));
      read(text.slice(0, at));
      read(text.slice(at));
      expect(names, `cut at ${at}`).toEqual(['change', 'change']);
    }
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
  const open: { tab: string; change(): void; end(error?: unknown): void }[] = [];
  const heard: string[] = [];
  let refusal: unknown = null;
  let tries = 0;
  const tab = (name: string) =>
    createServerEvents({
      api: {
        listenForChanges({ signal, onOpen, onChange }) {
          tries += 1;
          if (refusal) return Promise.reject(refusal);
          return new Promise((resolve, reject) => {
            const stream = {
              tab: name,
              change: onChange,
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
      ...{ locks: locks.openTab(), clock, random, userId: 'u' },
      onChange: () => heard.push(name),
    });
  return {
    ...{ tab, clock, open, heard },
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

  it('pulls when the stream opens, for earlier changes, and at each change', async () => {
    const tabs = createTabs();
    tabs.tab('only').setSeen(true);
    await settle();
    expect(tabs.heard).toEqual(['only']);
    tabs.open[0]?.change();
    expect(tabs.heard).toEqual(['only', 'only']);
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
    expect(tabs.clock.pending()).toEqual([]);
  });

  it('reconnects soon after a stream that worked, however many there were', async () => {
    const tabs = createTabs(() => 0.999);
    tabs.tab('only').setSeen(true);
    await settle();
    for (let round = 0; round < 5; round += 1) {
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
