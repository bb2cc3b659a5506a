/** Refusals by the server had no effect; those by intermediaries may hide one. */
import { describe, expect, it } from 'vitest';
import { answers, answersStatus, faults } from '#tests/fakes/fake-server.ts';
import {
  closeDevices,
  create,
  edit,
  enqueue,
  packageId,
  passTime,
  pulled,
  request,
  settled,
  states,
  type Tab,
} from './device.ts';

closeDevices();

const creates = (calls: { name: string; key: string }[]) =>
  calls.filter(({ name }) => name === 'createPackage').map(({ key }) => key);

describe('a refusal', () => {
  it('not from our server is retried as the same request, since it may have been applied', async () => {
    const { server, tab } = await pulled();
    server.fail('createPackage', faults.truncated);
    server.fail('createPackage', answersStatus(403));
    const { id } = await enqueue(tab, create(7));
    await passTime(60_000);
    expect(await states(tab)).toEqual(['createPackage attention http']);
    await tab.engine.retry(id);
    await settled();
    expect(creates(server.calls)).toEqual([id, id, id]);
    expect(await states(tab)).toEqual([]);
    expect(server.effects).toEqual([`createPackage ${packageId(7)}`]);
  });

  it.each([
    ['retried', (tab: Tab, id: string) => tab.engine.retry(id)],
    ['resolved as theirs', (tab: Tab, id: string) => tab.engine.acceptTheirs(id)],
    ['replaced', (tab: Tab, id: string) => tab.engine.replace(id, edit({ notes: 'Else' }))],
  ])('not from our server stays in doubt behind another that is %s', async (_, decide) => {
    const { server, tab } = await pulled();
    // Applied; an intermediary answers with a refusal.
    server.fail('patchPackage', { when: 'after', failure: answersStatus(403).failure });
    const { id } = await enqueue(tab, edit({ description: 'Mine' }));
    server.isReachable = false;
    const first = await tab.engine.enqueue(edit({ notes: 'Mine' }));
    await tab.engine.retry(id);
    await settled();
    server.isReachable = true;
    server.fail('patchPackage', answers('invalid_fields'));
    await request(tab, 'online');
    expect(await states(tab)).toEqual([
      'editPackage attention invalid_fields',
      'editPackage attention depends_on_refused',
    ]);
    server.changePackage(packageId(1), { description: 'Theirs' });
    await decide(tab, first.id);
    await request(tab, 'online');
    expect(await states(tab)).toEqual([]);
    // Not applied twice, which would overwrite another user's later change.
    expect(server.packages.get(packageId(1))?.description).toBe('Theirs');
  });
});
