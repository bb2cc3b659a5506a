/** Pictures that prove a delivery: kept until the server has them, and sent without holding up anything. */
import { describe, expect, it } from 'vitest';
import type { Proof } from '#contract/event.ts';
import { countDraftProofs, readDraftProofs } from '#db/proofs.ts';
import { wipeUser } from '#db/wipe.ts';
import type { Intent } from '#domain/operation.ts';
import type { ProofPicture } from '#domain/proof-picture.ts';
import { aPackage } from '#tests/builders/package.ts';
import { answers, faults } from '#tests/fakes/fake-server.ts';
import {
  accept,
  aServer,
  closeDevices,
  device,
  me,
  newDevice,
  packageId,
  settled,
  states,
  type Tab,
  until,
} from './device.ts';

closeDevices();

const photoId = '70000000-0000-4000-8000-000000000001';
const otherId = '70000000-0000-4000-8000-000000000002';

function picture(id = photoId, changes: Partial<ProofPicture> = {}): ProofPicture {
  return {
    id,
    packageId: packageId(1),
    kind: 'photo',
    type: 'image/webp',
    digest: id,
    bytes: new Uint8Array([1, 2, 3]).buffer,
    createdAt: '2026-11-21T10:00:00.000Z',
    ...changes,
  };
}

const shown: Proof = { recipientName: 'Musa', relation: 'neighbour', photoIds: [photoId] };

const deliverWith = (proof: Proof, number = 1): Intent => ({
  name: 'deliverPackage',
  targetId: packageId(number),
  args: { proof },
});

/** The package is carried by this phone's user. */
function carrying() {
  const server = aServer(2);
  for (const number of [1, 2]) {
    const id = packageId(number);
    const more = { id, status: 'in-transit', courier: me, progress: 'picked_up' } as const;
    server.packages.set(id, aPackage(more));
  }
  return server;
}

async function opened(isReachable = true): Promise<Tab> {
  const server = carrying();
  const tab = newDevice(server).openTab();
  tab.engine.request('start');
  await settled();
  server.isReachable = isReachable;
  return tab;
}

const drafts = async (tab: Tab) =>
  (await readDraftProofs(tab.db, packageId(1))).map(({ id }) => id);

describe('a picture', () => {
  it('belongs to the draft until a delivery names it, which queues it with itself', async () => {
    const tab = await opened(false);
    await tab.engine.addProof(picture());
    await tab.engine.addProof(picture(otherId, { kind: 'signature' }));
    expect(await drafts(tab)).toEqual([photoId, otherId]);
    await tab.engine.enqueue(deliverWith({ ...shown, signatureId: otherId }));
    expect(await drafts(tab)).toEqual([]);
    await settled();
    expect((await states(tab)).map((state) => state.split(' ').slice(0, 2).join(' '))).toEqual([
      'deliverPackage waiting',
      'uploadProof waiting',
      'uploadProof waiting',
    ]);
  });

  it('counts as lost with a sign-out exactly while nothing sends it', async () => {
    const tab = await opened(false);
    expect(await countDraftProofs(tab.db)).toEqual({ photo: 0, signature: 0 });
    await tab.engine.addProof(picture());
    await tab.engine.addProof(picture(otherId, { kind: 'signature', packageId: packageId(2) }));
    expect(await countDraftProofs(tab.db)).toEqual({ photo: 1, signature: 1 });
    await tab.engine.enqueue(deliverWith(shown));
    expect(await countDraftProofs(tab.db)).toEqual({ photo: 0, signature: 1 });
    await wipeUser(tab.db);
    expect(await countDraftProofs(tab.db)).toEqual({ photo: 0, signature: 0 });
    expect(await tab.db.proofs.count()).toBe(1);
  });

  it('is removed once the server has it, after the delivery', async () => {
    const tab = await opened();
    await tab.engine.addProof(picture());
    await tab.engine.enqueue(deliverWith(shown));
    await settled();
    expect(await states(tab)).toEqual([]);
    expect(await tab.db.proofs.count()).toBe(0);
    expect([...device.server.pictures]).toEqual([[photoId, photoId]]);
    const names = device.server.calls.map(({ name }) => name);
    expect(names.indexOf('putProof')).toBeGreaterThan(names.indexOf('recordEvent'));
  });

  it.each([
    ['lost on the way', faults.droppedBefore],
    ['stored, its answer lost', faults.droppedAfter],
    ['answered by a captive portal', faults.html],
  ])('%s is sent again and stored once', async (_, fault) => {
    const tab = await opened();
    device.server.fail('putProof', fault);
    await tab.engine.addProof(picture());
    await tab.engine.enqueue(deliverWith(shown));
    await settled();
    expect((await states(tab))[0]).toMatch(/^uploadProof waiting/);
    expect(await tab.db.proofs.count()).toBe(1);
    tab.engine.request('online');
    await settled();
    expect(await states(tab)).toEqual([]);
    expect([...device.server.pictures.keys()]).toEqual([photoId]);
    expect(device.server.callsOf('putProof')).toHaveLength(2);
    expect(device.server.callsOf('recordEvent')).toHaveLength(1);
  });

  it('of a tab killed while it is sent is sent by the next', async () => {
    const tab = await opened();
    await tab.engine.addProof(picture());
    const barrier = device.server.holdNext('putProof');
    await tab.engine.enqueue(deliverWith(shown));
    await barrier.reached;
    tab.kill();
    const next = device.openTab();
    next.engine.request('start');
    await until(() => device.server.pictures.has(photoId));
    await settled();
    barrier.release();
    await settled();
    expect(await states(next)).toEqual([]);
    expect(await next.db.proofs.count()).toBe(0);
  });

  it('holds up nothing: what is done while it is sent goes out beside it', async () => {
    const tab = await opened();
    await tab.engine.addProof(picture());
    const barrier = device.server.holdNext('putProof');
    await tab.engine.enqueue(deliverWith(shown));
    await barrier.reached;
    await tab.engine.enqueue({ name: 'arrive', targetId: packageId(2), args: {} });
    await until(async () => (await states(tab)).join() === 'uploadProof waiting');
    expect(device.server.packages.get(packageId(2))?.progress).toBe('arrived');
    barrier.release();
    await settled();
    expect(await states(tab)).toEqual([]);
  });

  it('too slow for the network does not make the phone offline', async () => {
    const tab = await opened();
    device.server.fail('putProof', faults.timedOut);
    await tab.engine.addProof(picture());
    await tab.engine.enqueue(deliverWith(shown));
    await settled();
    expect(await states(tab)).toEqual(['uploadProof waiting timeout']);
    expect(tab.engine.status().lastFailure).toBeNull();
  });

  it('waits for what was done to its package before', async () => {
    const tab = newDevice(aServer(1)).openTab();
    tab.engine.request('start');
    await settled();
    device.server.fail('patchPackage', answers('unavailable'));
    await tab.engine.addProof(picture());
    await tab.engine.enqueue(accept());
    await tab.engine.enqueue(deliverWith(shown));
    await settled();
    expect(device.server.callsOf('putProof')).toEqual([]);
    tab.engine.request('retry');
    await settled();
    expect(await states(tab)).toEqual([]);
    expect(device.server.pictures.size).toBe(1);
  });

  it('that the server refuses needs attention; given up, it is removed', async () => {
    const tab = await opened();
    device.server.fail('putProof', answers('bad_picture'));
    await tab.engine.addProof(picture());
    await tab.engine.enqueue(deliverWith(shown));
    await settled();
    expect(await states(tab)).toEqual(['uploadProof attention bad_picture']);
    await tab.engine.retry(photoId);
    await settled();
    expect(await states(tab)).toEqual([]);
    expect(device.server.pictures.size).toBe(1);
  });

  it('no longer on the phone needs attention', async () => {
    const tab = await opened(false);
    await tab.engine.addProof(picture());
    await tab.engine.enqueue(deliverWith(shown));
    await tab.db.proofs.clear();
    device.server.isReachable = true;
    tab.engine.request('online');
    await settled();
    expect(await states(tab)).toEqual(['uploadProof attention bad_picture']);
    await tab.engine.discard(photoId);
    expect(await states(tab)).toEqual([]);
  });

  it('of a refused delivery goes back to the draft when that is given up', async () => {
    const tab = await opened();
    device.server.fail('putProof', faults.timedOut);
    device.server.fail('recordEvent', answers('wrong_code'));
    await tab.engine.addProof(picture());
    const { id } = await tab.engine.enqueue(deliverWith(shown));
    await settled();
    await tab.engine.discard(id);
    expect(await states(tab)).toEqual([]);
    expect(await drafts(tab)).toEqual([photoId]);
  });

  it('of a refused delivery goes out with the one that replaces it, once', async () => {
    const tab = await opened();
    device.server.fail('recordEvent', answers('wrong_code'));
    await tab.engine.addProof(picture());
    device.server.fail('putProof', faults.timedOut);
    const { id } = await tab.engine.enqueue(deliverWith(shown));
    await settled();
    await tab.engine.replace(id, deliverWith(shown));
    tab.engine.request('retry');
    await settled();
    expect(await states(tab)).toEqual([]);
    expect(device.server.callsOf('putProof')).toHaveLength(2);
    expect(device.server.packages.get(packageId(1))?.status).toBe('delivered');
  });

  it('of a delivery taken back before it was sent goes back to the draft', async () => {
    const tab = await opened(false);
    await tab.engine.enqueue({ name: 'arrive', targetId: packageId(1), args: {} });
    await tab.engine.addProof(picture());
    const { id } = await tab.engine.enqueue(deliverWith(shown));
    await settled();
    expect(await tab.engine.cancel(id)).toBe(true);
    expect(await drafts(tab)).toEqual([photoId]);
    expect((await states(tab)).length).toBe(1);
  });

  it('of a queued delivery outlives a sign-out; one of a draft does not', async () => {
    const tab = await opened(false);
    await tab.engine.addProof(picture());
    await tab.engine.enqueue(deliverWith(shown));
    await tab.engine.addProof(picture(otherId, { packageId: packageId(2) }));
    await tab.engine.stop();
    await wipeUser(tab.db);
    const kept = await tab.db.proofs.toCollection().primaryKeys();
    expect(kept).toEqual([photoId]);
    expect(await tab.db.outbox.count()).toBe(2);
  });

  it('of a draft that was forgotten for a week makes room for the next', async () => {
    const tab = await opened(false);
    await tab.engine.addProof(picture(otherId, { createdAt: '2026-11-01T10:00:00.000Z' }));
    await tab.engine.addProof(picture());
    expect(await drafts(tab)).toEqual([photoId]);
  });
});
