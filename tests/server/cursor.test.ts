/** Cursors: truncation loses nothing, an invalid one starts a reset, neither is an error. */
import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxCursorLength, maxSnapshotLength } from '#contract/delta.ts';
import { selectScalar } from '#server/database/database.ts';
import { readCheckpoint, writeCheckpoint } from '#server/modules/sync/checkpoint.ts';
import { type Cursor, encodeCursor, readCursor } from '#server/modules/sync/cursor.ts';
import { fitting, isSnapshot, visibilityIn } from '#server/modules/sync/snapshot.ts';
import { type List, page as pageOf } from './delta-device.ts';
import { fileStage, type Person, type Stage } from './stage.ts';

const stage = fileStage();

async function page(who: Person, since: string, list: List = 'packages', at: Stage = stage()) {
  const { rows, cursor, isReset } = await pageOf(at, who, list, since);
  return { ids: rows.map(({ _id }) => _id), cursor, isReset };
}

const inside = (cursor: string) => JSON.parse(Buffer.from(cursor, 'base64url').toString());
const forged = (cursor: string, changes: object) =>
  Buffer.from(JSON.stringify({ ...inside(cursor), ...changes })).toString('base64url');

/** Concurrent transactions: few, or more than a cursor can name. */
const few = { maxLength: 40 };
const many = { minLength: 1600, maxLength: 1800 };
const snapshotsWith = (count: object) =>
  fc
    .tuple(
      fc.bigInt({ min: 3n, max: 10n ** 15n }),
      fc.array(fc.integer({ min: 1, max: 9 }), { ...count, size: 'max' }),
      fc.integer({ min: 1, max: 9 }),
    )
    .map(([xmin, steps, rest]) => {
      const open: bigint[] = [];
      let last = xmin;
      for (const step of steps) {
        open.push(last);
        last += BigInt(step);
      }
      return `${xmin}:${last + BigInt(rest)}:${open.join(',')}`;
    });

const snapshots = fc.oneof(snapshotsWith(few), snapshotsWith(many));

describe('a cursor with many open transactions', () => {
  const now = new Date('2026-11-21T09:00:00.000Z');
  const who = { userId: randomUUID(), role: 'Employee', area: '12,8.5,10' };
  const holder = { list: 'packages', ...who, epoch: 'e' } as const;
  const readBack = (cursor: Cursor) =>
    readCursor(encodeCursor(cursor), { ...holder, now, snapshot: `1:${10n ** 17n}:` });

  it('fits into a URL and covers only what was seen', () => {
    let cutShort = 0;
    let whole = 0;
    fc.assert(
      fc.property(fc.option(snapshots), snapshots, (base, target) => {
        const cursor: Cursor = { ...holder, issuedAt: now, base, target, after: '7' };
        expect(encodeCursor(cursor).length).toBeLessThanOrEqual(maxCursorLength);
        const back = readBack(cursor);
        expect(back).toMatchObject({ ...holder, after: '7', issuedAt: now });
        for (const [was, is] of [
          [base, back?.base],
          [target, back?.target],
        ]) {
          if (was === null || is === was) {
            expect(is).toBe(was);
            continue;
          }
          const [xmin = '', xmax = '', open = ''] = String(was).split(':');
          expect(isSnapshot(String(is))).toBe(true);
          const edges = [xmin, xmax, ...open.split(',')].filter((xid) => xid !== '').map(BigInt);
          const wasSeen = visibilityIn(String(was));
          const isSeen = visibilityIn(String(is));
          expect(edges.filter((xid) => isSeen(`${xid}`) && !wasSeen(`${xid}`))).toEqual([]);
        }
        if (back?.target === target) whole += 1;
        else cutShort += 1;
      }),
      { numRuns: 40, endOnFailure: true },
    );
    expect(cutShort).toBeGreaterThan(0);
    expect(whole).toBeGreaterThan(0);
  });

  it('is for a stream a snapshot that fits and covers only what was seen', () => {
    fc.assert(
      fc.property(snapshots, (was) => {
        const is = fitting(was);
        expect(isSnapshot(is)).toBe(true);
        const epoch = 'e'.repeat(16);
        const checkpoint = writeCheckpoint({ role: 'Employee', epoch, snapshot: is });
        expect(checkpoint.length).toBeLessThanOrEqual(maxSnapshotLength);
        expect(readCheckpoint(checkpoint)).toEqual({ role: 'Employee', epoch, snapshot: is });
        if (was.length <= maxSnapshotLength - 40) expect(is).toBe(was);
        const edges = was.split(/[:,]/).filter((xid) => xid !== '');
        const [wasSeen, isSeen] = [visibilityIn(was), visibilityIn(is)];
        expect(edges.filter((xid) => isSeen(xid) && !wasSeen(xid))).toEqual([]);
      }),
      { numRuns: 40, endOnFailure: true },
    );
  });

  it('continues without a reset when truncated, repeating at most some rows', async () => {
    const sender = await stage().person('Customer');
    const before = await stage().created(sender);
    const again = await stage().created(sender);
    const whole = (await page(sender, '')).cursor;
    const after = await stage().created(sender);
    // Truncated at another place: a transaction of another test file may come first.
    const againXid = sql<string>`(select changed_xid::text from packages where id = ${again._id})`;
    const cut = await selectScalar(stage().db, againXid);
    const short = await page(sender, forged(whole, { n: `${cut}:${cut}:` }));
    expect(short.isReset).toBe(false);
    expect(short.ids).toEqual([after._id, again._id]);
    expect(short.ids).not.toContain(before._id);
    expect((await page(sender, short.cursor)).ids).toEqual([]);
  });
});

describe('an invalid cursor', () => {
  it.each(['packages', 'users'] as const)('of %s starts a reset', async (list) => {
    const sender = await stage().person('Customer');
    await stage().created(sender);
    const { cursor, ids } = await page(sender, '', list);
    const other = list === 'users' ? 'packages' : 'users';
    const bad = [
      ...['x', 'e30', 'W10', '%00', '\u0000', '🎁', '[]', 'null', 'a'.repeat(maxCursorLength)],
      (await page(sender, '', other)).cursor,
      (await page(await stage().person('Customer'), '', list)).cursor,
      forged(cursor, { n: `1:18446744073709551616:` }),
      forged(cursor, { n: `1:${'9'.repeat(18)}:` }),
      forged(cursor, { n: '1.5:2:' }),
      forged(cursor, { n: '-1:2:' }),
      forged(cursor, { n: `1:3:${Array(1000).fill('0').join(',')}` }),
      forged(cursor, { n: null }),
      forged(cursor, { b: `1:${'9'.repeat(18)}:`, a: null }),
      forged(cursor, { a: list === 'users' ? '7' : randomUUID(), b: null }),
      forged(cursor, { a: '9'.repeat(400) }),
      forged(cursor, { more: 1 }),
      ...[{ r: 'Admin' }, { e: 'another' }, { v: 2 }, { t: -1 }, { t: 1e300 }].map((change) =>
        forged(cursor, change),
      ),
      ...['5:4:', '0:4:', '1:9:8,3', '1:4:); drop table packages'].map((n) =>
        forged(cursor, { n }),
      ),
      ...['x', '-1', 7].map((a) => forged(cursor, { a })),
      `${cursor.slice(0, -4)}`,
    ];
    for (const since of bad) {
      const answer = await page(sender, since, list);
      expect([since, answer.isReset, answer.ids]).toEqual([since, true, ids]);
    }
    stage().pass(30 * 24 * 3_600_000 + 1000);
    const late = await page(await stage().again(sender), cursor, list);
    expect(late.isReset, 'after 30 days').toBe(true);
  });
});

describe('a server start', () => {
  it('keeps cursors when the rows belong to this database', async () => {
    const sender = await stage().person('Customer');
    await stage().created(sender);
    const { cursor } = await page(sender, '');
    const second = await stage().another();
    expect(await page(sender, cursor, 'packages', second)).toMatchObject({
      isReset: false,
      ids: [],
    });
  });

  it('voids all cursors once after a restore from another database', async () => {
    const sender = await stage().person('Customer');
    const own = await stage().created(sender);
    const before = { packages: await page(sender, ''), users: await page(sender, '', 'users') };
    // As after restoring a dump of another cluster: the rows have foreign transaction ids.
    const id = randomUUID();
    await stage().db.execute(sql`
      insert into packages (id, sender_id, recipient_name, recipient_phone, description, pickup_address,
        delivery_address, pickup_date, price_kobo, payment_method, status, created_at, updated_at, changed_xid)
      values (${id}, ${sender.id}, 'Musa', '08057654321', 'Cloth', 'Here', 'There', now(), 1000,
        'cash', 'cancelled', now(), now(), '987654321987'::xid8)`);
    const [second, third] = await Promise.all([stage().another(), stage().another()]);
    for (const list of ['packages', 'users'] as const) {
      const reset = await page(sender, before[list].cursor, list, second);
      const whole = list === 'packages' ? [id, own._id] : [sender.id];
      expect([reset.isReset, reset.ids]).toEqual([true, whole]);
      for (const server of [stage(), second, third]) {
        const next = await page(sender, reset.cursor, list, server);
        expect([next.isReset, next.ids]).toEqual([false, []]);
      }
    }
  });
});
