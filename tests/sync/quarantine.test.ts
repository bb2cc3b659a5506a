/** An outbox left by another version of the app. */
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { readableAgain } from '#domain/operation.ts';
import { type Upgraded, upgradeOperation } from '#domain/operation-migrations.ts';
import { operationSchemaVersion } from '#domain/operation-names.ts';
import { FencedError, fenced } from '#sync/coordination/lease.ts';
import { retryOperation } from '#sync/outbox/outbox.ts';
import { sortOutbox } from '#sync/outbox/quarantine.ts';
import { cancelOperation } from '#sync/outbox/resolution.ts';
import {
  accept,
  aServer,
  closeDevices,
  deliver,
  device,
  edit,
  enqueue,
  offline,
  packageId,
  request,
  settled,
  states,
  type Tab,
} from './device.ts';

closeDevices();

/** An offline phone with these operations on package 1 and 2 in its outbox. */
async function queued() {
  const all = await offline(aServer(3));
  for (const intent of [accept(), deliver(), accept(2)]) await all.tab.engine.enqueue(intent);
  await settled();
  const rows = await all.tab.db.outbox.orderBy('seq').toArray();
  await all.tab.engine.stop();
  all.server.isReachable = true;
  return { ...all, rows };
}

async function damage({ db }: Tab, seq: number | undefined, changes: object) {
  const row = await db.outbox.get(seq ?? 0);
  await db.outbox.put({ ...row, ...changes } as never);
}

async function started() {
  const tab = device.openTab();
  await request(tab, 'start');
  await setImmediate();
  return tab;
}

describe('at engine start', () => {
  it.each([
    ['of a newer version', { schemaVersion: 99 }],
    ['of an unknown name', { name: 'teleportPackage' }],
    ['that is damaged', { args: null }],
    ['in a state of another version', { state: 'sending' }],
    ['without a version', { schemaVersion: undefined }],
  ])('an operation %s is quarantined unchanged; the rest of its lane waits for the user', async (_, changes) => {
    const { server, tab: before, rows } = await queued();
    await damage(before, rows[0]?.seq, changes);
    const found = await before.db.outbox.get(rows[0]?.seq ?? 0);
    const tab = await started();
    expect(await tab.db.quarantine.toArray()).toMatchObject([
      { seq: rows[0]?.seq, id: rows[0]?.id, row: found },
    ]);
    expect(await states(tab)).toEqual(['deliverPackage attention depends_on_refused']);
    // The other lane continues.
    expect(server.effects).toHaveLength(1);
    expect(server.packages.get(packageId(2))?.status).toBe('in-transit');
    expect(tab.events.filter(({ kind }) => kind === 'refused')).toHaveLength(1);
    expect(tab.faults).toEqual([]);
  });

  it('a now readable operation returns to its place for the user to decide', async () => {
    const { server, tab: before, rows } = await queued();
    await damage(before, rows[0]?.seq, { schemaVersion: 99 });
    const middle = await started();
    expect(await middle.db.quarantine.count()).toBe(1);
    await middle.engine.stop();
    // The next version of the app can read it.
    const stored = await middle.db.quarantine.toArray();
    await middle.db.quarantine.bulkPut(
      stored.map((each) => ({ ...each, row: { ...(each.row as object), schemaVersion: 1 } })),
    );
    const tab = await started();
    expect(await tab.db.quarantine.count()).toBe(0);
    expect(await states(tab)).toEqual([
      'acceptPackage attention readable_again',
      'deliverPackage attention depends_on_refused',
    ]);
    expect((await tab.db.outbox.orderBy('seq').first())?.seq).toBe(rows[0]?.seq);
    await tab.engine.retry(rows[0]?.id ?? '');
    await settled();
    expect(await states(tab)).toEqual([]);
    expect(server.packages.get(packageId(1))?.status).toBe('delivered');
  });

  it('an operation already queued again is not queued twice: the quarantined one stays', async () => {
    const { tab: before } = await queued();
    const [row] = await before.db.outbox.toArray();
    if (!row) throw new Error('Nothing is queued.');
    const at = '2026-11-21T10:00:00.000Z';
    await before.db.quarantine.put({ seq: 999, id: row.id, row: { ...row, seq: 999 }, at });
    const tab = await started();
    expect(await tab.db.quarantine.count()).toBe(1);
    expect(tab.faults).toEqual([]);
    expect((await tab.db.outbox.toArray()).filter(({ seq }) => seq === 999)).toEqual([]);
  });

  it('a returned and retried operation may have been sent: it cannot be cancelled', async () => {
    const { tab } = await queued();
    const [row] = await tab.db.outbox.toArray();
    if (!row) throw new Error('Nothing is queued.');
    const lastError = { code: readableAgain, message: '', status: 0, at: row.createdAt };
    await tab.db.outbox.update(row.seq, { state: 'attention', tries: 0, lastError });
    await retryOperation(tab.db, row.id, () => 'another id');
    expect(await tab.db.outbox.where('id').equals(row.id).first()).toMatchObject({ tries: 1 });
    expect(await cancelOperation(tab.db, row.id)).toBe(false);
  });

  it('an unreadable operation stays, and only the user can discard it', async () => {
    const { tab: before, rows } = await queued();
    const seq = rows[0]?.seq ?? 0;
    await damage(before, seq, { schemaVersion: 99 });
    const first = await started();
    await first.engine.stop();
    const tab = await started();
    expect(await tab.db.quarantine.count()).toBe(1);
    await tab.engine.discardQuarantined(seq);
    expect(await tab.db.quarantine.count()).toBe(0);
  });

  it('a damaged lane or back-off is repaired', async () => {
    const { server, tab: before, rows } = await queued();
    await damage(before, rows[2]?.seq, { lane: undefined, backoff: { untilMs: 'later' } });
    const tab = await started();
    expect(await states(tab)).toEqual([]);
    expect(server.effects).toHaveLength(3);
  });

  it('a row that is not an operation stops nothing', async () => {
    const { server, tab: before } = await queued();
    await before.db.outbox.put({ seq: 500, what: 'is this' } as never);
    const tab = await started();
    expect(await tab.db.quarantine.toArray()).toMatchObject([{ seq: 500, id: '' }]);
    expect(server.effects).toHaveLength(3);
  });
});

describe('while the engine runs', () => {
  it('an operation of another version is quarantined when due, not sent', async () => {
    const { tab: before } = await queued();
    await before.engine.stop();
    const tab = await started();
    const { server } = device;
    server.isReachable = false;
    const { seq } = await tab.engine.enqueue(accept(3));
    await enqueue(tab, edit({ notes: 'Ring' }, { number: 3 }));
    await damage(tab, seq, { schemaVersion: 99 });
    server.isReachable = true;
    const effects = server.effects.length;
    await request(tab, 'online');
    expect(await states(tab)).toEqual(['editPackage attention depends_on_refused']);
    expect(await tab.db.quarantine.count()).toBe(1);
    expect(server.effects).toHaveLength(effects);
    expect(tab.faults).toEqual([]);
  });
});

describe('a migration to another shape', () => {
  const next = operationSchemaVersion + 1;
  const upgrade = (stored: unknown): Upgraded => {
    const step = (row: Record<string, unknown>) => ({ ...row, tries: 0 });
    const steps = new Map([[operationSchemaVersion, step]]);
    return upgradeOperation(stored, { steps, version: next });
  };

  it('migrates every row in one transaction, keeping order and ids', async () => {
    const { tab, rows } = await queued();
    const fence = (await tab.db.lease.get('lease'))?.fence ?? 0;
    const at = '2026-11-21T10:00:00.000Z';
    await sortOutbox({ db: tab.db, fence, at, upgrade });
    const after = await tab.db.outbox.orderBy('seq').toArray();
    expect(after).toEqual(rows.map((row) => ({ ...row, schemaVersion: next, tries: 0 })));
  });

  it('migrates none if the lease was lost during it', async () => {
    const { tab, rows } = await queued();
    const fence = (await tab.db.lease.get('lease'))?.fence ?? 0;
    const at = '2026-11-21T10:00:00.000Z';
    await fenced(tab.db, fence, [], async () => {
      await tab.db.lease.put({ key: 'lease', fence: fence + 1, beat: 0 });
    });
    await expect(sortOutbox({ db: tab.db, fence, at, upgrade })).rejects.toThrow(FencedError);
    expect(await tab.db.outbox.orderBy('seq').toArray()).toEqual(rows);
  });
});
