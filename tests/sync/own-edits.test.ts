import { describe, expect, it } from 'vitest';
import { wipeMirror } from '#db/user-database.ts';
import { answersStatus, faults } from '#tests/fakes/fake-server.ts';
import {
  closeDevices,
  edit,
  enqueue,
  goOnline,
  offline,
  packageId,
  passTime,
  settled,
  states,
} from './device.ts';

closeDevices();

/** What the engine sends; the rule itself: tests/unit/field-versions.test.ts. */

describe('consecutive edits by one user', () => {
  it('of the same field on the same version do not conflict with each other', async () => {
    const { server, tab } = await offline();
    for (const description of ['One', 'Two', 'Three']) {
      await tab.engine.enqueue(edit({ description }, { baseVersion: 1 }));
    }
    await settled();
    await goOnline(tab);
    expect(await states(tab)).toEqual([]);
    expect(server.packages.get(packageId(1))).toMatchObject({ description: 'Three', version: 4 });
  });

  it('nor with a lost reply and a pull in between', async () => {
    const { server, tab } = await offline();
    await enqueue(
      tab,
      edit({ description: 'One' }, { baseVersion: 1 }),
      edit({ description: 'Two' }, { baseVersion: 1 }),
    );
    // Committed with a corrupted reply: not a network failure, so the pull runs and brings version
    // 2.
    server.fail('patchPackage', faults.truncated);
    await goOnline(tab);
    expect(await tab.db.packages.get(packageId(1))).toMatchObject({ version: 2 });
    await passTime(60_000);
    expect(await states(tab)).toEqual([]);
    expect(server.packages.get(packageId(1))).toMatchObject({ description: 'Two', version: 3 });
  });

  it('nor if the second was typed before a sign-out and saved after the next sign-in', async () => {
    const { server, tab } = await offline();
    await goOnline(tab);
    await enqueue(tab, edit({ description: 'One' }, { baseVersion: 1 }));
    await wipeMirror(tab.db);
    await goOnline(tab);
    await enqueue(tab, edit({ description: 'Two' }, { baseVersion: 1 }));
    expect(await states(tab)).toEqual([]);
    expect(server.packages.get(packageId(1))?.description).toBe('Two');
  });
});

describe('an older edit based on a refused one', () => {
  it("does not silently replace the user's newer value", async () => {
    const { server, tab } = await offline();
    const first = await tab.engine.enqueue(edit({ description: 'Mine' }, { baseVersion: 1 }));
    await enqueue(tab, edit({ notes: 'Old' }, { baseVersion: 1 }));
    server.changePackage(packageId(1), { description: 'Theirs', notes: 'Theirs' });
    await goOnline(tab);
    await enqueue(tab, edit({ notes: 'New' }, { baseVersion: 2 }));
    expect(server.packages.get(packageId(1))).toMatchObject({ notes: 'New', version: 3 });
    expect(await tab.engine.acceptTheirs(first.id)).toBe(true);
    await settled();
    expect(server.packages.get(packageId(1))?.notes).toBe('New');
    expect(await states(tab)).toEqual(['editPackage attention conflict']);
  });
});

describe('a true conflict', () => {
  it("remains: a queued edit never overwrites another user's change of that field", async () => {
    const { server, tab } = await offline();
    await enqueue(
      tab,
      edit({ description: 'Mine' }, { baseVersion: 1 }),
      edit({ notes: 'Mine' }, { baseVersion: 1 }),
    );
    server.changePackage(packageId(1), { notes: 'Theirs' });
    await goOnline(tab);
    expect(await states(tab)).toEqual(['editPackage attention conflict']);
    expect(server.packages.get(packageId(1))).toMatchObject({
      description: 'Mine',
      notes: 'Theirs',
    });
  });
});

describe('a repeated request', () => {
  it('is identical, whatever a pull brought in between', async () => {
    const { server, tab } = await offline();
    await enqueue(tab, edit({ description: 'Mine' }, { baseVersion: 1 }));
    server.changePackage(packageId(1), { notes: 'Theirs' });
    server.fail('patchPackage', faults.html);
    await goOnline(tab);
    expect(await tab.db.packages.get(packageId(1))).toMatchObject({ notes: 'Theirs' });
    await passTime(60_000);
    const bodies = server.calls.filter((call) => call.key !== '').map((call) => call.body);
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    expect(await states(tab)).toEqual([]);
  });

  it('is identical even if its user has put it behind another', async () => {
    const { server, tab } = await offline();
    await goOnline(tab);
    // Not the server's own answer: it may have been applied.
    server.fail('patchPackage', answersStatus(403));
    const { id } = await enqueue(tab, edit({ description: 'One' }, { baseVersion: 1 }));
    server.isReachable = false;
    await tab.engine.enqueue(edit({ description: 'Two' }, { baseVersion: 1 }));
    await tab.engine.retry(id);
    await settled();
    await goOnline(tab);
    const sent = server.calls.filter(({ key }) => key === id).map(({ body }) => body);
    expect(sent.length).toBeGreaterThan(1);
    expect(sent).toEqual(sent.map(() => sent[0]));
  });
});
