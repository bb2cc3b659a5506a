/** What tabs tell each other, and what anything else on this origin may say on their channel. */
import { afterEach, describe, expect, it } from 'vitest';
import { accept, aPulledDevice, aServer, type Device, settled } from './device.ts';

let device: Device;
afterEach(() => device.close());

async function pulled() {
  const all = await aPulledDevice(aServer());
  device = all.device;
  return all;
}

describe('a word on the channel of the tabs', () => {
  it.each<[string, unknown]>([
    ['nothing', null],
    ['a number', 1],
    ['an unknown kind', { kind: 'status', operation: {} }],
    ['no operation', { kind: 'refused', operation: null }],
    ['an empty operation', { kind: 'acknowledged', operation: {} }],
    ['a number of flights', { kind: 'sending', sending: 5 }],
    ['empty flights', { kind: 'sending', sending: [null] }],
    ['flights of another shape', { kind: 'sending', sending: [{ operationId: 1 }] }],
  ])('that is none (%s) is passed over', async (_, message) => {
    const { tab } = await pulled();
    const before = tab.events.length;
    device.tell(message);
    expect(tab.events).toHaveLength(before);
    expect(tab.engine.status().sending).toEqual([]);
    expect(tab.faults).toEqual([]);
  });

  it('of an operation that another tab has sent is passed on', async () => {
    const { tab } = await pulled();
    const other = device.openTab();
    const operation = await tab.engine.enqueue(accept());
    await settled(device);
    expect(other.events).toContainEqual({ kind: 'acknowledged', operation });
  });

  it('is not heard any more once the engine is stopped', async () => {
    const { tab } = await pulled();
    const other = device.openTab();
    await other.engine.stop();
    const before = other.events.length;
    await tab.engine.enqueue(accept());
    await settled(device);
    expect(tab.events.some(({ kind }) => kind === 'acknowledged')).toBe(true);
    expect(other.events).toHaveLength(before);
  });
});
