/** Refusals that are the server's own and those that are not: what is certain to have had no effect. */
import { afterEach, describe, expect, it } from 'vitest';
import { answers, answersStatus, faults } from '#tests/fakes/fake-server.ts';
import {
  aPulledDevice,
  aServer,
  create,
  type Device,
  edit,
  packageId,
  settled,
  states,
  type Tab,
} from './device.ts';

let device: Device;
afterEach(() => device.close());

async function pulled() {
  const all = await aPulledDevice(aServer());
  device = all.device;
  return all;
}

const creates = (calls: { name: string; key: string }[]) =>
  calls.filter(({ name }) => name === 'createPackage').map(({ key }) => key);

describe('a refusal', () => {
  it('that is not the server’s own is tried anew as the same request: it may have been done', async () => {
    const { server, tab } = await pulled();
    server.fail('createPackage', faults.truncated);
    server.fail('createPackage', answersStatus(403));
    const { id } = await tab.engine.enqueue(create(7));
    await settled(device);
    device.clock.advance(60_000);
    await settled(device);
    expect(await states(tab)).toEqual(['createPackage attention http']);
    await tab.engine.retry(id);
    await settled(device);
    expect(creates(server.calls)).toEqual([id, id, id]);
    expect(await states(tab)).toEqual([]);
    expect(server.effects).toEqual([`createPackage ${packageId(7)}`]);
  });

  it.each([
    ['tried anew', (tab: Tab, id: string) => tab.engine.retry(id)],
    ['given way', (tab: Tab, id: string) => tab.engine.acceptTheirs(id)],
    ['replaced', (tab: Tab, id: string) => tab.engine.replace(id, edit({ notes: 'Else' }))],
  ])('that is not the server’s own stays in doubt behind another that is %s', async (_, decide) => {
    const { server, tab } = await pulled();
    // Done, and something between us and the server says no.
    server.fail('patchPackage', { when: 'after', failure: answersStatus(403).failure });
    const { id } = await tab.engine.enqueue(edit({ description: 'Mine' }));
    await settled(device);
    server.isReachable = false;
    const first = await tab.engine.enqueue(edit({ notes: 'Mine' }));
    await tab.engine.retry(id);
    await settled(device);
    server.isReachable = true;
    server.fail('patchPackage', answers('invalid_fields'));
    tab.engine.request('online');
    await settled(device);
    expect(await states(tab)).toEqual([
      'editPackage attention invalid_fields',
      'editPackage attention depends_on_refused',
    ]);
    server.changePackage(packageId(1), { description: 'Theirs' });
    await decide(tab, first.id);
    tab.engine.request('online');
    await settled(device);
    expect(await states(tab)).toEqual([]);
    // Not done twice, the second time over what somebody else has written since.
    expect(server.packages.get(packageId(1))?.description).toBe('Theirs');
  });

  it('of the server’s own is tried anew under another key, with what leaned on it', async () => {
    const { server, tab } = await pulled();
    server.fail('createPackage', answers('invalid_fields'));
    const { id } = await tab.engine.enqueue(create(7));
    const leaning = await tab.engine.enqueue(edit({ notes: 'Fragile' }, { number: 7 }));
    await settled(device);
    await tab.engine.retry(id);
    await settled(device);
    expect(await states(tab)).toEqual([]);
    expect(new Set(creates(server.calls)).size).toBe(2);
    expect(server.calls.map(({ key }) => key)).not.toContain(leaning.id);
  });
});
