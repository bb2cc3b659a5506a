/**
 * Many event streams on raw sockets, parsed just enough to know which row came when. Streams of one
 * audience get the same bytes, so what one of them has parsed serves the others.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type Area, areaText } from '#contract/area.ts';
import { changeEvent, eventsPath, helloEvent, rowsEvent } from '#contract/stream.ts';

export interface SeenRow {
  id: string;
  version: number;
}

type Event =
  | { name: typeof helloEvent; at: string }
  | { name: typeof rowsEvent; from: string; to: string; rows: SeenRow[] }
  | { name: typeof changeEvent };

/** What all streams got since the last reset. */
export interface Counts {
  bytes: number;
  batches: number;
  rows: number;
  /** Events, gaps and ends of streams after which a phone pulls. */
  pulls: number;
}

export interface Streams {
  counts: Counts;
  /** What one stream got, to be sent again: ms since the reset, and the text. */
  recorded: [ms: number, text: string][];
  reset(): void;
  close(): void;
}

interface Settings {
  url: string;
  /** One per stream. */
  tokens: readonly string[];
  /** The working area of every stream. */
  area?: Area | undefined;
  onRow(stream: number, row: SeenRow): void;
}

/** Sockets that connect at the same time: fewer than a server's backlog. */
const wave = 100;
const headEnd = Buffer.from('\r\n\r\n');
const lineEnd = Buffer.from('\r\n');

interface Parsed {
  text: string;
  events: Event[];
}

function eventOf(block: string): Event[] {
  const name = /^event: (.*)$/m.exec(block)?.[1];
  const data = /^data: (.*)$/m.exec(block)?.[1] ?? '{}';
  if (name === changeEvent) return [{ name }];
  if (name === helloEvent) return [{ name, at: JSON.parse(data).at }];
  if (name !== rowsEvent) return [];
  const { from, to, packages } = JSON.parse(data);
  const rows = packages.map(({ _id: id, version }: { _id: string; version: number }) => {
    return { id, version };
  });
  return [{ name, from, to, rows }];
}

/** Whole chunks of a chunked body, as bytes, and what is left. */
function unchunked(raw: Buffer): { body: Buffer; rest: Buffer } {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const end = raw.indexOf(lineEnd, at);
    if (end < 0) break;
    const size = Number.parseInt(raw.toString('latin1', at, end), 16);
    const begin = end + lineEnd.length;
    if (raw.length < begin + size + lineEnd.length) break;
    parts.push(raw.subarray(begin, begin + size));
    at = begin + size + lineEnd.length;
  }
  return { body: Buffer.concat(parts), rest: raw.subarray(at) };
}

/** Chunks of recent batches that were whole, and what they say. */
function createKnown() {
  const known: { raw: Buffer; parsed: Parsed }[] = [];
  return {
    find: (raw: Buffer) => known.find((one) => one.raw.equals(raw))?.parsed,
    add: (raw: Buffer, parsed: Parsed) => {
      known.unshift({ raw, parsed });
      known.length = Math.min(known.length, 8);
    },
  };
}

/** Reads one stream; `onParsed` gets what follows the head, in whole events. */
function createReader(known: ReturnType<typeof createKnown>, onParsed: (parsed: Parsed) => void) {
  let isPastHead = false;
  let rest: Buffer = Buffer.alloc(0);
  let body: Buffer = Buffer.alloc(0);
  return (chunk: Buffer) => {
    const isClean = isPastHead && rest.length === 0 && body.length === 0;
    const again = isClean ? known.find(chunk) : undefined;
    if (again) {
      onParsed(again);
      return;
    }
    rest = Buffer.concat([rest, chunk]);
    if (!isPastHead) {
      const end = rest.indexOf(headEnd);
      if (end < 0) return;
      const head = rest.toString('latin1', 0, end);
      if (!/^HTTP\/1\.1 200 /.test(head)) throw new Error(`A stream began with: ${rest}`);
      isPastHead = true;
      rest = rest.subarray(end + headEnd.length);
    }
    const found = unchunked(rest);
    rest = found.rest;
    body = Buffer.concat([body, found.body]);
    const end = body.lastIndexOf('\n\n');
    if (end < 0) return;
    const text = body.toString('utf8', 0, end + 2);
    body = body.subarray(end + 2);
    const parsed = { text, events: text.split('\n\n').flatMap(eventOf) };
    if (isClean && rest.length === 0 && body.length === 0) known.add(chunk, parsed);
    onParsed(parsed);
  };
}

/** Resolves once all of them have had `hello`. */
export async function openStreams({ url, tokens, area, onRow }: Settings): Promise<Streams> {
  const { hostname, port, host } = new URL(url);
  const path = `${eventsPath}?rows=1${area ? `&area=${areaText(area)}` : ''}`;
  const known = createKnown();
  const counts: Counts = { bytes: 0, batches: 0, rows: 0, pulls: 0 };
  const recorded: [number, string][] = [];
  let begun = performance.now();
  let isClosing = false;
  const sockets: Socket[] = [];

  const open = async (token: string, index: number) => {
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    await once(socket, 'connect');
    let at: string | undefined;
    await new Promise<void>((resolve, reject) => {
      const read = createReader(known, ({ text, events }) => {
        if (index === 0) recorded.push([performance.now() - begun, text]);
        if (at === undefined && events[0]?.name !== helloEvent) {
          reject(new Error(`A stream began with: ${text}`));
        }
        for (const event of events) {
          if (event.name === helloEvent) {
            at = event.at;
            resolve();
          } else if (event.name === changeEvent) {
            counts.pulls += 1;
          } else {
            if (event.from !== at) counts.pulls += 1;
            at = event.to;
            counts.batches += 1;
            counts.rows += event.rows.length;
            for (const row of event.rows) onRow(index, row);
          }
        }
      });
      socket.on('data', (chunk) => {
        counts.bytes += chunk.length;
        read(chunk);
      });
      socket.on('error', reject);
      socket.on('close', () => {
        if (!isClosing) counts.pulls += 1;
      });
      socket.write(
        `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\n\r\n`,
      );
    });
  };
  for (let from = 0; from < tokens.length; from += wave) {
    const some = tokens.slice(from, from + wave);
    await Promise.all(some.map((token, index) => open(token, from + index)));
  }
  return {
    counts,
    recorded,
    reset: () => {
      Object.assign(counts, { bytes: 0, batches: 0, rows: 0, pulls: 0 });
      recorded.length = 0;
      begun = performance.now();
    },
    close: () => {
      isClosing = true;
      for (const socket of sockets) socket.destroy();
    },
  };
}
