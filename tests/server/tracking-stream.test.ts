/** The streams of recipients' pages: what their readers get, when, and from how many readings. */
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { trackingEvent } from '#contract/tracking.ts';
import { positions } from '#server/database/recipient-schema.ts';
import { createLinks, type OpenLink, openLink } from '#server/modules/tracking/links.ts';
import { findTracked } from '#server/modules/tracking/repository.ts';
import { createTrackingStreams } from '#server/modules/tracking/streams.ts';
import { wordsFor } from '#server/modules/tracking/words.ts';
import { closeSseClients, listenOn, SseClient } from './sse-client.ts';
import { fileStage, type Stage } from './stage.ts';
import {
  carried,
  delivered,
  forbiddenTexts,
  offered,
  record,
  storePhoto,
} from './tracking-stage.ts';

const metricsToken = 'a-token-of-metrics-for-this-test';
const stage = fileStage({ METRICS_TOKEN: metricsToken });
closeSseClients();

let at = '';
beforeAll(async () => {
  at = await listenOn(stage().app);
});

const words = wordsFor('en');

/** What has come so far: the inner HTML of the page's changing part. */
function eventsOf(stream: SseClient): string[] {
  return stream.text
    .split('\n\n')
    .filter((block) => block.startsWith(`event: ${trackingEvent}\n`))
    .map((block): string => JSON.parse(block.slice(block.indexOf('data: ') + 6)));
}

const countOf = (stream: SseClient) => eventsOf(stream).length;
const lastOf = (stream: SseClient) => eventsOf(stream).at(-1) ?? '';

async function follow(token: string, address = at): Promise<SseClient> {
  const stream = await new SseClient().openUrl(`${address}/api/track/${token}/events`);
  await stream.until(() => countOf(stream) > 0);
  return stream;
}

const shows = (stream: SseClient, text: string) =>
  stream.until(() => lastOf(stream).includes(text));

describe('a stream', () => {
  it('begins with how things are: the inside of the page', async () => {
    const { token, path } = await carried(stage());
    const stream = await follow(token);
    expect([stream.status, stream.headers.get('content-type')]).toEqual([
      ...[200, 'text/event-stream; charset=utf-8'],
    ]);
    expect(stream.headers.get('cache-control')).toBe('no-store, no-transform');
    expect(stream.headers.get('referrer-policy')).toBe('no-referrer');
    const page = await stage().send(null, 'GET', path);
    expect(page.text).toContain(lastOf(stream));
  });

  it('follows a delivery to its end, without a byte that is not for the recipient', async () => {
    const followed = await offered(stage());
    const { courier, pkg, token, path } = followed;
    const stream = await follow(token);
    await stage().accept(courier, pkg);
    await shows(stream, words.stages.accepted);
    await record(stage(), courier, followed, 'picked_up');
    await shows(stream, 'Sani');
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    await stage().send(null, 'POST', path, { body: 'kind=safe_place&text=At+the+kiosk', headers });
    await shows(stream, 'At the kiosk');
    await record(stage(), courier, followed, 'arrived');
    await shows(stream, words.stages.arrived);
    expect(lastOf(stream)).toContain('data-can-note="true"');
    await delivered(stage(), followed);
    await shows(stream, words.stages.delivered);
    expect(lastOf(stream)).toContain('data-can-note="false"');
    const { texts } = await forbiddenTexts(stage(), followed);
    expect(texts.filter((text) => stream.text.includes(text))).toEqual([]);
  });

  it('is the same bytes for all readers of a link, and nothing for those of others', async () => {
    const followed = await carried(stage());
    const other = await carried(stage());
    const quiet = await follow(other.token);
    const readers = await Promise.all(Array.from({ length: 20 }, () => follow(followed.token)));
    await record(stage(), followed.courier, followed, 'arrived');
    for (const reader of readers) await shows(reader, words.stages.arrived);
    expect(new Set(readers.map(lastOf)).size).toBe(1);
    expect(countOf(quiet)).toBe(1);
  });

  it('says nothing when what changed does not show', async () => {
    const { token, sender, pkg, courier, ...rest } = await carried(stage());
    const stream = await follow(token);
    await stage().patch(sender, pkg, { notes: 'Another secret' });
    // Longer than changes are gathered for.
    await new Promise((resolve) => setTimeout(resolve, 600));
    await record(stage(), courier, { pkg, ...rest }, 'arrived');
    await shows(stream, words.stages.arrived);
    expect(countOf(stream)).toBe(2);
  });

  it('hears of changes made through another server on the same database', async () => {
    const second = await stage().another();
    const followed = await carried(stage());
    const stream = await follow(followed.token);
    await record(second, followed.courier, followed, 'arrived');
    await shows(stream, words.stages.arrived);
  });

  it('ends when its link is replaced, and the link refuses another', async () => {
    const { token, sender, pkg } = await carried(stage());
    const stream = await follow(token);
    await stage().send(sender, 'POST', `/api/packages/${pkg._id}/tracking`);
    await stream.until(() => stream.hasEnded);
    const again = await new SseClient().openUrl(`${at}/api/track/${token}/events`);
    expect(again.status).toBe(410);
  });

  it('is not kept for requests that wait behind another on a connection that ends', async () => {
    const { token } = await carried(stage());
    const ask = `GET /api/track/${token}/events HTTP/1.1\r\nhost: kaya.test\r\n\r\n`;
    const socket = connect(Number(new URL(at).port), '127.0.0.1');
    socket.write(ask.repeat(20));
    await once(socket, 'data');
    // Asked after all of them.
    const reader = await follow(token);
    socket.destroy();
    reader.close();
    const headers = { authorization: `Bearer ${metricsToken}` };
    const streams = async () => (await stage().send(null, 'GET', '/metrics', { headers })).text;
    await expect.poll(streams).toContain('kaya_event_streams_open{kind="tracking"} 0\n');
  });

  it('misses no change that was announced while it opened', async () => {
    const followed = await carried(stage());
    const { now } = stage();
    const read = createLinks({ db: stage().db, now, tiles: [] });
    const times = { heartbeatMs: 60_000, lookMs: 60_000 };
    const onFailure = (error: unknown) => {
      throw error;
    };
    const streams = createTrackingStreams({
      db: stage().db,
      read,
      now,
      tiles: [],
      times,
      onFailure,
    });
    const since = streams.heard();
    const link = await read(followed.token);
    if (link.kind !== 'open') throw new Error('There is no such link.');
    await record(stage(), followed.courier, followed, 'arrived');
    // Before the reader is among those who hear.
    streams.hear({ users: [], couriers: false, moved: false, package: followed.pkg._id, xid: '1' });
    const response = new PassThrough({ encoding: 'utf8' });
    streams.add(link, {
      words,
      since,
      response: response as unknown as ServerResponse,
    });
    const [event] = await once(response, 'data');
    expect(event).toContain(words.stages.arrived);
    await streams.stop();
  });
});

describe('with short pauses', () => {
  let quick: Stage;
  let near = '';
  beforeAll(async () => {
    quick = await stage().another({ times: { heartbeatMs: 100, lookMs: 100 } });
    near = await listenOn(quick.app);
  });

  it('takes back a position also from who came between two looks', async () => {
    const slow = await stage().another({ times: { heartbeatMs: 100, lookMs: 1_500 } });
    const { token, courier } = await carried(slow);
    const there = await listenOn(slow.app);
    await follow(token, there);
    const body = { lat: 12.01, lng: 8.53, accuracy: 20 };
    await slow.send(courier, 'PUT', '/api/position', { body });
    const second = await follow(token, there);
    expect(lastOf(second)).toContain('data-lat');
    await slow.send(courier, 'DELETE', '/api/position');
    await second.until(() => !lastOf(second).includes('data-lat'));
  });

  it('a stream beats, and ends with its link', async () => {
    const followed = await carried(quick);
    await delivered(quick, followed);
    const stream = await follow(followed.token, near);
    await stream.until(() => stream.text.split(':\n\n').length > 3);
    expect(stream.hasEnded).toBe(false);
    quick.pass(24 * 3_600_000);
    await stream.until(() => stream.hasEnded);
  });

  it('shows what no notification announces: positions, and photos after their delivery', async () => {
    const followed = await carried(quick);
    const { courier, token } = followed;
    const stream = await follow(token, near);
    await quick.db
      .insert(positions)
      .values({ courierId: courier.id, lat: 12.01, lng: 8.52, accuracy: 5, at: quick.now() });
    await shows(stream, 'data-lat="12.01" data-lng="8.52"');
    quick.pass(60_000);
    await shows(stream, words.seen('1 minute ago'));
    const id = randomUUID();
    await delivered(quick, followed, [id]);
    await shows(stream, words.stages.delivered);
    expect(lastOf(stream)).not.toContain(id);
    await storePhoto(quick, followed, id);
    await shows(stream, id);
  });

  it('goes on after a reading that failed', async () => {
    const followed = await carried(quick);
    const stream = await follow(followed.token, near);
    await quick.db.execute(sql`alter table positions rename to positions_away`);
    const failures = () =>
      stage().logs.filter((line) => line.includes('cannot read what recipients see')).length;
    const before = failures();
    await record(quick, followed.courier, followed, 'arrived');
    while (failures() === before) await new Promise((resolve) => setTimeout(resolve, 20));
    await quick.db.execute(sql`alter table positions_away rename to positions`);
    await shows(stream, words.stages.arrived);
    expect(stream.hasEnded).toBe(false);
    expect(stage().logs.join('')).not.toContain(followed.token);
  });

  it('ends with its server', async () => {
    const own = await stage().another();
    const followed = await carried(own);
    const stream = await follow(followed.token, await listenOn(own.app));
    await own.app.close();
    await stream.until(() => stream.hasEnded);
  });
});

describe('readers of one link', () => {
  /** A reader of `link` who knows what was written. */
  function join(streams: ReturnType<typeof createTrackingStreams>, link: OpenLink) {
    const reader = Object.assign(new EventEmitter(), {
      got: [] as string[],
      writableLength: 0,
      write: (bytes: Buffer) => {
        reader.got.push(String(bytes));
      },
      end: () => undefined,
    });
    const response = reader as unknown as ServerResponse;
    streams.add(link, { response, words, since: streams.heard() });
    return reader;
  }

  function streamsBy(lookMs: number) {
    return createTrackingStreams({
      db: stage().db,
      now: stage().now,
      tiles: [],
      read: async () => ({ kind: 'unknown' }),
      onFailure: () => undefined,
      times: { heartbeatMs: 60_000, lookMs },
    });
  }

  const linkOf = (text: string) => {
    const event = Buffer.from(text);
    return { kind: 'open', token: 'a', eventIn: () => event } as unknown as OpenLink;
  };

  const turn = () => new Promise((resolve) => setImmediate(resolve));

  it('get each change once, those who came before and after it', async () => {
    const streams = streamsBy(60_000);
    const early = join(streams, linkOf('first'));
    const late = join(streams, linkOf('second'));
    join(streams, linkOf('second')).emit('close');
    join(streams, linkOf('third')).emit('close');
    expect([early.got, late.got]).toEqual([['second', 'third'], ['third']]);
    await streams.stop();
  });

  it('of a thousand links leave the server time for other calls between them', async () => {
    const { token, courier } = await carried(stage());
    const found = await findTracked(stage().db, token);
    if (!found) throw new Error('There is no such link.');
    const streams = streamsBy(50);
    const readers = Array.from({ length: 1000 }, (_, nth) => {
      const row = { ...found.row, trackingToken: `link-${nth}` };
      return join(streams, openLink({ ...found, row }, stage().now(), []));
    });
    const body = { lat: 12.01, lng: 8.53, accuracy: 20 };
    await stage().send(courier, 'PUT', '/api/position', { body });
    const shownAt = new Set<number>();
    const shown = () => readers.filter(({ got }) => got.at(-1)?.includes('data-lat')).length;
    for (let count = 0; count < readers.length; count = shown()) {
      shownAt.add(count);
      await turn();
    }
    expect([...shownAt].filter((count) => count > 0).length).toBeGreaterThan(1);
    streams.endAll();
    await streams.stop();
  });

  it('are limited, far above a family', async () => {
    const streams = streamsBy(60_000);
    const link = linkOf('first');
    let count = 0;
    for (; !streams.isFull('a'); count += 1) join(streams, link);
    expect(count).toBe(100);
    await streams.stop();
  });
});
