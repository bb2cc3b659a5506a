/**
 * The stream of events: changed packages, and requests to pull (docs/decisions/0074-row-stream.md).
 * By fetch: an EventSource cannot send the bearer token.
 */
import * as v from 'valibot';
import { type Area, areaText } from '#contract/area.ts';
import { isRemoved } from '#contract/delta.ts';
import {
  changeEvent,
  eventsPath,
  helloEvent,
  helloSchema,
  rowsEvent,
  rowsSchema,
} from '#contract/stream.ts';
import { type Package, packageFromWire } from '#domain/package.ts';
import { answerOf, readRefusal } from './answer.ts';
import type { ApiClient } from './client.ts';
import { ApiFailure, noAnswer } from './failure.ts';
import type { ApiOptions } from './ports.ts';

/** The server sends a keep-alive every 25 s; after this silence the stream is dead. */
export const streamSilenceMs = 60_000;

/** Characters of one event's data; a longer one is not kept, and counts as unreadable. */
export const maxEventLength = 2_000_000;

/** Changes between two snapshots. */
export interface RowBatch {
  from: string;
  to: string;
  rows: Package[];
  /** Deleted, or no longer visible to this user since this version. */
  removals: { id: string; version: number }[];
  /** Characters on the wire. */
  length: number;
}

export interface EventListener {
  /** Null: offers from everywhere. */
  area: Area | null;
  /** Connected: earlier changes may have been missed. */
  onOpen(): void;
  /** Every change after this snapshot follows; a server without rows never says it. */
  onHello(at: string): void;
  onRows(batch: RowBatch): void;
  /** The stream brought rows that cannot be read. */
  onUnreadable(): void;
  onChange(): void;
  /** Aborting resolves `listenForChanges`. */
  signal: AbortSignal;
}

export interface EventsApi {
  /**
   * Reads one stream until the server or the signal ends it; rejects with ApiFailure if it cannot
   * be opened, breaks or falls silent.
   */
  listenForChanges(listener: EventListener): Promise<void>;
}

/** Parses server-sent events. `data`: null if it is longer than `mostLength`. */
export function createEventReader(
  onEvent: (name: string, data: string | null) => void,
  mostLength = maxEventLength,
): (text: string) => void {
  let rest = '';
  let name = '';
  let data: string[] = [];
  let length = 0;
  const readLine = (line: string) => {
    if (line === '') {
      if (data.length > 0) onEvent(name || 'message', length > mostLength ? null : data.join('\n'));
      name = '';
      data = [];
      length = 0;
    } else if (line.startsWith('event:')) name = line.slice('event:'.length).trim();
    else if (line.startsWith('data:')) {
      length += line.length;
      if (length > mostLength) data = [''];
      else data.push(line.slice('data:'.length).replace(/^ /, ''));
    }
  };
  return (text) => {
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) readLine(line);
    if (rest.length <= mostLength) return;
    // Keeps the start of the line, which identifies its field.
    rest = rest.slice(0, 'data:'.length);
    length = Number.POSITIVE_INFINITY;
  };
}

/** Throws if it violates the contract. */
function readBatch(data: string): RowBatch {
  const { from, to, packages } = v.parse(rowsSchema, JSON.parse(data));
  const batch: RowBatch = { from, to, rows: [], removals: [], length: data.length };
  for (const one of packages) {
    if (isRemoved(one)) batch.removals.push({ id: one._id, version: one.version });
    else batch.rows.push(packageFromWire(one));
  }
  return batch;
}

/** Maps an event to a listener call; ignores unknown events of newer servers. */
function meaningOf(listener: EventListener, name: string, data: string | null): () => void {
  if (name === changeEvent) return listener.onChange;
  if (name !== helloEvent && name !== rowsEvent) return () => undefined;
  if (data === null) return listener.onUnreadable;
  try {
    if (name === helloEvent) {
      const { at } = v.parse(helloSchema, JSON.parse(data));
      return () => listener.onHello(at);
    }
    const batch = readBatch(data);
    return () => listener.onRows(batch);
  } catch {
    return listener.onUnreadable;
  }
}

type Options = Pick<ApiOptions, 'baseUrl' | 'fetch' | 'silenceMs'>;

export function createEventsApi(client: ApiClient, options: Options): EventsApi {
  const { baseUrl = '', silenceMs = streamSilenceMs } = options;
  const send: typeof fetch = options.fetch ?? ((input, init) => fetch(input, init));

  async function listenOnce(token: string, listener: EventListener): Promise<void> {
    const { signal, area } = listener;
    const aborter = new AbortController();
    const abort = () => aborter.abort();
    let isSilent = false;
    let watch: ReturnType<typeof setTimeout> | undefined;
    const heard = () => {
      clearTimeout(watch);
      watch = setTimeout(() => {
        isSilent = true;
        abort();
      }, silenceMs);
    };
    signal.addEventListener('abort', abort);
    try {
      if (signal.aborted) return;
      heard();
      const query = new URLSearchParams({ rows: '1', ...(area ? { area: areaText(area) } : {}) });
      const response = await send(`${baseUrl}${eventsPath}?${query}`, {
        headers: { accept: 'text/event-stream', authorization: `Bearer ${token}` },
        credentials: 'include',
        cache: 'no-store',
        signal: aborter.signal,
      });
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
      if (!response.ok || !isStream || !response.body) {
        throw readRefusal(await answerOf(response));
      }
      listener.onOpen();
      const read = createEventReader((name, data) => meaningOf(listener, name, data)());
      const pipe = { signal: aborter.signal };
      const reader = response.body.pipeThrough(new TextDecoderStream(), pipe).getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        heard();
        read(part.value);
      }
    } catch (cause) {
      if (signal.aborted) return;
      if (cause instanceof ApiFailure) throw cause;
      const kind = isSilent ? 'timeout' : 'network';
      throw noAnswer(kind, 'The stream of events broke off.', cause);
    } finally {
      clearTimeout(watch);
      signal.removeEventListener('abort', abort);
    }
  }

  return {
    listenForChanges: (listener) => client.authorized((token) => listenOnce(token, listener)),
  };
}
