/** A device that applies deltas, for comparison with the full list. */
import { expect } from 'vitest';
import { isRemoved } from '#contract/delta.ts';
import { headers } from '#contract/headers.ts';
import type { Person, Stage } from './stage.ts';

export type List = 'packages' | 'users';
export type Row = { _id: string; removed?: boolean };

export async function plain(stage: Stage, who: Person, list: List): Promise<Map<string, Row>> {
  const { body } = await stage.send<Row[]>(who, 'GET', `/api/${list}`);
  return new Map(body.map((row) => [row._id, row]));
}

export async function page(stage: Stage, who: Person, list: List, since: string) {
  const path = `/api/${list}?since=${encodeURIComponent(since)}`;
  const answer = await stage.send<Row[]>(who, 'GET', path);
  expect(answer.status, answer.text).toBe(200);
  return {
    rows: answer.body,
    cursor: String(answer.headers[headers.syncCursor]),
    hasMore: answer.headers[headers.syncMore] === 'true',
    isReset: answer.headers[headers.syncReset] === 'true',
  };
}

/** Upserts, removes, and at the end of a complete series drops rows it did not contain. */
export class Device {
  readonly rows = new Map<string, Row>();
  cursor = '';
  #full: Set<string> | null = null;
  readonly who: Person;
  readonly list: List;

  readonly stage: Stage;

  constructor(stage: Stage, who: Person, list: List) {
    this.stage = stage;
    this.who = who;
    this.list = list;
  }

  async pullPage() {
    const got = await page(this.stage, this.who, this.list, this.cursor);
    if (got.isReset) this.#full = new Set();
    for (const row of got.rows) {
      this.#full?.add(row._id);
      if (isRemoved(row)) this.rows.delete(row._id);
      else this.rows.set(row._id, row);
    }
    this.cursor = got.cursor;
    if (!got.hasMore && this.#full) {
      for (const id of this.rows.keys()) if (!this.#full.has(id)) this.rows.delete(id);
      this.#full = null;
    }
    return got;
  }

  async pull() {
    const got = [];
    do got.push(await this.pullPage());
    while (got.at(-1)?.hasMore);
    return got.flatMap(({ rows }) => rows);
  }
}

export async function expectSame(device: Device): Promise<void> {
  // The first series may only complete one under way; changes between its pages come with the next.
  await device.pull();
  await device.pull();
  const inOrder = (rows: Map<string, Row>) =>
    [...rows.values()].sort((a, b) => (a._id < b._id ? -1 : 1));
  expect(inOrder(device.rows)).toEqual(inOrder(await plain(device.stage, device.who, device.list)));
}
