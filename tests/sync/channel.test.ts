/** Messages between tabs, and foreign messages on their channel. */
import { describe, expect, it } from 'vitest';
import { accept, closeDevices, device, enqueue, pulled } from './device.ts';

closeDevices();

describe('a message on the tab channel', () => {
  it.each<[string, unknown]>([
    ['nothing', null],
    ['a number', 1],
    ['an unknown kind', { kind: 'status', operation: {} }],
    ['no operation', { kind: 'refused', operation: null }],
    ['an empty operation', { kind: 'acknowledged', operation: {} }],
    ['a number of flights', { kind: 'sending', sending: 5 }],
    ['empty flights', { kind: 'sending', sending: [null] }],
    ['flights of another shape', { kind: 'sending', sending: [{ operationId: 1 }] }],
  ])('that is invalid (%s) is ignored', async (_, message) => {
    const { tab } = await pulled();
    const before = tab.events.length;
    device.tell(message);
    expect(tab.events).toHaveLength(before);
    expect(tab.engine.status().sending).toEqual([]);
    expect(tab.faults).toEqual([]);
  });

  it('is ignored after the engine stops', async () => {
    const { tab } = await pulled();
    const other = device.openTab();
    await other.engine.stop();
    const before = other.events.length;
    await enqueue(tab, accept());
    expect(tab.events.some(({ kind }) => kind === 'acknowledged')).toBe(true);
    expect(other.events).toHaveLength(before);
  });
});
