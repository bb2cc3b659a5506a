/** A device that pulls after `hello` and then applies the batches of its stream, as the app does. */

import * as v from 'valibot';
import { expect } from 'vitest';
import { isRemoved } from '#contract/delta.ts';
import { headers } from '#contract/headers.ts';
import { helloSchema, rowsSchema, type StreamedRows } from '#contract/stream.ts';
import type { Row } from './delta-device.ts';
import { SseClient } from './sse-client.ts';
import type { Person, Stage } from './stage.ts';

interface Event {
  name: string;
  data: string;
}

/** The complete events of a stream's text. */
export function eventsOf(text: string): Event[] {
  const parts = text.split('\n\n').slice(0, -1);
  return parts.flatMap((part) => {
    const found = /^event: (\w+)\ndata: (.*)$/m.exec(part);
    return found?.[1] && found[2] !== undefined ? [{ name: found[1], data: found[2] }] : [];
  });
}

export const batchesOf = (text: string): StreamedRows[] =>
  eventsOf(text)
    .filter(({ name }) => name === 'rows')
    .map(({ data }) => v.parse(rowsSchema, JSON.parse(data)));

interface How {
  area?: string;
  /** Does it pull on `change`? Else rows have to suffice. */
  heedsChange?: boolean;
}

export class RowDevice {
  readonly rows = new Map<string, Row>();
  stream = new SseClient();
  pulls = 0;
  gaps = 0;
  #cursor = '';
  #streamed: string | undefined;
  #chain = '';
  #read = 0;
  #work: Promise<void> = Promise.resolve();
  readonly who: Person;
  readonly #stage: Stage;
  readonly #how: How;

  constructor(stage: Stage, who: Person, how: How = {}) {
    this.#stage = stage;
    this.who = who;
    this.#how = how;
  }

  get #area(): string {
    return this.#how.area === undefined ? '' : `&area=${this.#how.area}`;
  }

  async open(at: string): Promise<this> {
    await this.stream.open(this.who, at, `?rows=1${this.#area}`);
    await this.stream.until(() => eventsOf(this.stream.text).length > 0);
    await this.settle();
    return this;
  }

  /** After the stream has ended, a new one. */
  async reopen(at: string): Promise<this> {
    await this.settle();
    this.stream = new SseClient();
    this.#read = 0;
    return this.open(at);
  }

  /** Applies what has arrived. */
  async settle(): Promise<void> {
    this.#work = this.#work.then(async () => {
      for (const event of eventsOf(this.stream.text).slice(this.#read)) {
        this.#read += 1;
        await this.#apply(event);
      }
    });
    await this.#work;
  }

  async #apply({ name, data }: Event): Promise<void> {
    if (name === 'hello') {
      this.#chain = v.parse(helloSchema, JSON.parse(data)).at;
      return this.pull();
    }
    if (name === 'change') return this.#how.heedsChange ? this.pull() : undefined;
    const { from, to, packages } = v.parse(rowsSchema, JSON.parse(data));
    const isNext = from === this.#chain;
    this.#chain = to;
    if (!isNext) {
      this.gaps += 1;
      return this.pull();
    }
    this.#streamed = to;
    for (const row of packages) this.#store(row);
  }

  #store(row: Row): void {
    if (isRemoved(row)) this.rows.delete(row._id);
    else this.rows.set(row._id, row);
  }

  async pull(): Promise<void> {
    this.pulls += 1;
    let full: Set<string> | null = null;
    for (let hasMore = true; hasMore; ) {
      const streamed = this.#streamed === undefined ? '' : `&streamed=${this.#streamed}`;
      const path = `/api/packages?since=${this.#cursor}${streamed}${this.#area}`;
      const answer = await this.#stage.send<Row[]>(this.who, 'GET', path);
      expect(answer.status, answer.text).toBe(200);
      if (answer.headers[headers.syncReset] === 'true') full = new Set();
      for (const row of answer.body) {
        full?.add(row._id);
        this.#store(row);
      }
      this.#cursor = String(answer.headers[headers.syncCursor]);
      this.#streamed = undefined;
      hasMore = answer.headers[headers.syncMore] === 'true';
    }
    if (full) for (const id of this.rows.keys()) if (!full.has(id)) this.rows.delete(id);
  }

  /** What a fresh full list shows this reader. */
  async expected(): Promise<Row[]> {
    const path = `/api/packages?${this.#area.slice(1)}`;
    return inOrder((await this.#stage.send<Row[]>(this.who, 'GET', path)).body);
  }

  get mirror(): Row[] {
    return inOrder([...this.rows.values()]);
  }
}

const inOrder = (rows: Row[]) => [...rows].sort((a, b) => (a._id < b._id ? -1 : 1));
