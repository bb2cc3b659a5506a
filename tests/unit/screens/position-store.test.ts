/** What a dispatcher's screens know of where couriers are. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type CourierPosition, positionLifetimeMs } from '#contract/position.ts';
import { createPositionStore } from '#data/use-positions.ts';

const everyMs = 30_000;
let page: EventTarget & { visibilityState: string };
let asked: number;
let answer: () => Promise<CourierPosition[]>;
let store: ReturnType<typeof createPositionStore>;

const seenNow = (courierId: string): CourierPosition => ({
  courierId,
  lat: 12,
  lng: 8,
  accuracy: 20,
  at: new Date().toISOString(),
});
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const known = () => [...store.positions().keys()];

beforeEach(() => {
  vi.useFakeTimers();
  page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  vi.stubGlobal('document', page);
  asked = 0;
  answer = async () => [seenNow('sani')];
  store = createPositionStore({
    listPositions: () => {
      asked += 1;
      return answer();
    },
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('where couriers are', () => {
  it('is read every half minute while a screen shows it, once for all of them', async () => {
    const told = vi.fn();
    const stops = [store.subscribe(told), store.subscribe(() => undefined)];
    await pass(0);
    expect([asked, known(), told.mock.calls.length]).toEqual([1, ['sani'], 1]);
    await pass(2 * everyMs);
    expect(asked).toBe(3);
    for (const stop of stops) stop();
    await pass(10 * everyMs);
    expect(asked).toBe(3);
  });

  it('is not read while the page is hidden, but when it is seen again', async () => {
    store.subscribe(() => undefined);
    page.visibilityState = 'hidden';
    await pass(10 * everyMs);
    expect(asked).toBe(1);
    page.visibilityState = 'visible';
    page.dispatchEvent(new Event('visibilitychange'));
    expect(asked).toBe(2);
  });

  it('is kept without an answer, until the server has forgotten it as well', async () => {
    store.subscribe(() => undefined);
    await pass(0);
    answer = () => Promise.reject(new Error('No network.'));
    await pass(positionLifetimeMs - everyMs);
    expect(known()).toEqual(['sani']);
    await pass(everyMs);
    expect(known()).toEqual([]);
  });

  it('is not what the server has forgotten, while a screen that opens waits for it', async () => {
    store.subscribe(() => undefined)();
    await pass(positionLifetimeMs);
    answer = () => new Promise(() => undefined);
    store.subscribe(() => undefined);
    expect(known()).toEqual([]);
  });
});
