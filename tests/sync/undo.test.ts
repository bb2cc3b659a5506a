/** Taking back a step: withdrawn where it was certainly not sent, otherwise corrected; once. */
import { describe, expect, it } from 'vitest';
import type { IntentOf } from '#domain/operation.ts';
import { faults } from '#tests/fakes/fake-server.ts';
import {
  accept,
  closeDevices,
  device,
  enqueue,
  goOnline,
  onServer,
  packageId,
  pulled,
  request,
  settled,
  shown,
  states,
  type Tab,
} from './device.ts';

closeDevices();

const step = (name: 'pickUp' | 'arrive') => ({ name, targetId: packageId(1), args: {} }) as const;
const undo = (corrects: string): IntentOf<'correctStep'> => ({
  name: 'correctStep',
  targetId: packageId(1),
  args: { corrects },
});

/** A package that this phone carries, with nothing to send. */
async function carrying() {
  const { server, tab } = await pulled();
  await enqueue(tab, accept());
  return { server, tab };
}

const types = async (tab: Tab) => {
  await tab.engine.readHistories([packageId(1)]);
  const history = await tab.db.events.get(packageId(1));
  return history?.events.map(({ type, correctedBy }) =>
    correctedBy ? `${type} taken back` : type,
  );
};

describe('a step that is taken back', () => {
  it('was waiting behind another: it is withdrawn', async () => {
    const { server, tab } = await carrying();
    server.isReachable = false;
    await enqueue(tab, step('pickUp'));
    const { id } = await enqueue(tab, step('arrive'));
    expect(await tab.engine.undo(undo(id))).toBeNull();
    expect((await shown(tab))?.progress).toBe('picked_up');
    await goOnline(tab);
    expect(await types(tab)).toEqual(['picked_up']);
  });

  it('was tried in vain, which proves nothing: it is sent, then corrected', async () => {
    const { server, tab } = await carrying();
    server.isReachable = false;
    const { id } = await enqueue(tab, step('pickUp'));
    expect(await tab.engine.undo(undo(id))).toMatchObject({ name: 'correctStep' });
    expect(await shown(tab)).toMatchObject({ progress: 'accepted', mark: 'waiting' });
    await goOnline(tab);
    expect(await types(tab)).toEqual(['picked_up taken back', 'corrected']);
    expect(onServer()?.progress).toBe('accepted');
  });

  it('is on its way to the server: it is corrected after it', async () => {
    const { server, tab } = await carrying();
    const barrier = server.holdNext('recordEvent');
    const { id } = await tab.engine.enqueue(step('pickUp'));
    await barrier.reached;
    await tab.engine.undo(undo(id));
    expect(await shown(tab)).toMatchObject({ progress: 'accepted', mark: 'waiting' });
    barrier.release();
    await settled();
    expect(await states(tab)).toEqual([]);
    expect(await types(tab)).toEqual(['picked_up taken back', 'corrected']);
    expect(onServer()?.progress).toBe('accepted');
  });

  it('arrived, though its answer was lost: it is corrected', async () => {
    const { server, tab } = await carrying();
    server.fail('recordEvent', faults.droppedAfter);
    const { id } = await enqueue(tab, step('pickUp'));
    await tab.engine.undo(undo(id));
    await request(tab, 'online');
    expect(await types(tab)).toEqual(['picked_up taken back', 'corrected']);
  });

  it('was sent: it is corrected, and shows as before until then', async () => {
    const { server, tab } = await carrying();
    const { id } = await enqueue(tab, step('pickUp'));
    server.isReachable = false;
    const before = { progress: 'accepted', attempts: 0, lastAttempt: null } as const;
    await tab.engine.undo({ ...undo(id), args: { corrects: id, before } });
    await settled();
    expect(await shown(tab)).toMatchObject({ progress: 'accepted', mark: 'waiting' });
    await goOnline(tab);
    expect(await types(tab)).toEqual(['picked_up taken back', 'corrected']);
    expect(await shown(tab)).toMatchObject({ progress: 'accepted', mark: 'none' });
  });

  it('is asked for twice, in two tabs: it is corrected once', async () => {
    const { server, tab } = await carrying();
    const { id } = await enqueue(tab, step('pickUp'));
    server.isReachable = false;
    const other = device.openTab(tab.db);
    await Promise.all([tab.engine.undo(undo(id)), other.engine.undo(undo(id))]);
    await settled();
    expect(await states(tab)).toHaveLength(1);
    await goOnline(tab);
    expect(await types(tab)).toEqual(['picked_up taken back', 'corrected']);
  });

  it('can be recorded again', async () => {
    const { tab } = await carrying();
    const { id } = await enqueue(tab, step('pickUp'));
    await tab.engine.undo(undo(id));
    await enqueue(tab, step('pickUp'));
    expect(await types(tab)).toEqual(['picked_up taken back', 'corrected', 'picked_up']);
    expect(onServer()?.progress).toBe('picked_up');
  });
});
