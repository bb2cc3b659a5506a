import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  clockOffsetMs,
  fromPhoneTime,
  hearServerTime,
  restoreClockOffset,
  serverNow,
  serverNowIso,
} from '#api/server-time.ts';
import { clockFault } from '#app/shell/clock-fault.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const startMs = Date.parse('2026-11-28T09:00:00.400Z');

/** What runs on whatever the clock is set to. */
let ranMs = 0;
let wallMs = startMs;

const pass = (ms: number) => {
  ranMs += ms;
  wallMs += ms;
};

beforeEach(() => {
  ranMs = 0;
  wallMs = startMs;
  vi.spyOn(Date, 'now').mockImplementation(() => wallMs);
  vi.spyOn(performance, 'now').mockImplementation(() => ranMs);
  restoreClockOffset(0);
});

afterEach(() => {
  vi.restoreAllMocks();
  restoreClockOffset(0);
});

const dateOf = (ms: number) => new Date(ms).toUTCString();

/** The server's answer, by a clock that is right, to this phone, which is `fastMs` ahead. */
function hear(fastMs: number, tookMs = 200) {
  hearServerTime(dateOf(wallMs - fastMs - tookMs / 2), tookMs);
}

const errorMs = (fastMs: number) => Math.abs(serverNow() - (wallMs - fastMs));

describe('the time by the server', () => {
  it.each([
    ['15 minutes ahead', 15 * minuteMs],
    ['50 hours ahead', 50 * hourMs],
    ['a day behind', -24 * hourMs],
    ['years behind, after a flat battery', -20 * 365 * 24 * hourMs],
  ])('a phone %s', (_, fastMs) => {
    hear(fastMs);
    expect(errorMs(fastMs)).toBeLessThan(4_000);
    // Heard through an hour of work, it stays.
    const offsetMs = clockOffsetMs();
    for (let answers = 0; answers < 60; answers += 1) {
      pass(minuteMs);
      hear(fastMs, 100 + answers * 10);
    }
    expect(Math.abs(clockOffsetMs() - offsetMs)).toBeLessThan(2_000);
  });

  it.each([
    ['a quick answer', 20],
    ['a slow one', 14_000],
    ['a page of a picture’s size over EDGE', 90_000],
  ])('%s does not correct a clock that is right', (_, tookMs) => {
    for (const share of [0, 0.5, 1]) {
      hearServerTime(dateOf(wallMs - tookMs * share), tookMs);
      expect(clockOffsetMs()).toBe(0);
    }
  });

  it('a clock seconds off is left alone', () => {
    hear(1_500);
    expect(clockOffsetMs()).toBe(0);
  });

  it('a quick answer narrows what a slow one left open', () => {
    hear(2 * hourMs, 60_000);
    expect(errorMs(2 * hourMs)).toBeLessThan(40_000);
    hear(2 * hourMs, 100);
    expect(errorMs(2 * hourMs)).toBeLessThan(4_000);
  });

  it.each([
    ['missing', ''],
    ['no date', 'yesterday'],
  ])('an answer whose Date is %s changes nothing', (_, date) => {
    hear(2 * hourMs);
    const before = clockOffsetMs();
    hearServerTime(date, 100);
    expect(clockOffsetMs()).toBe(before);
  });

  it.each([
    ['set back while it is right', 0, -3 * hourMs],
    ['set back while it is fast', 5 * hourMs, -3 * hourMs],
    ['fast, set right', 5 * hourMs, -5 * hourMs],
    ['slow, set right', -24 * hourMs, 24 * hourMs],
    ['slow, set right within half a minute', -24 * hourMs, 24 * hourMs - 30_000],
  ])('offline, a clock that is %s', (_, fastMs, setByMs) => {
    if (fastMs !== 0) hear(fastMs);
    pass(10 * minuteMs);
    wallMs += setByMs;
    expect(errorMs(fastMs + setByMs)).toBeLessThan(31_000);
  });

  it('the sleep of the phone, in which only the clock runs on, is none of its faults', () => {
    hear(2 * hourMs);
    wallMs += 9 * hourMs;
    expect(errorMs(2 * hourMs)).toBeLessThan(4_000);
  });

  it('what waits is told by the server’s time', () => {
    const at = new Date(wallMs).toISOString();
    expect(fromPhoneTime(at)).toBe(at);
    hear(2 * hourMs);
    expect(Date.parse(fromPhoneTime(at))).toBe(serverNow());
  });

  it('what was kept of it before the start counts, unless it is no number', () => {
    restoreClockOffset(2 * hourMs);
    expect(serverNow()).toBe(wallMs - 2 * hourMs);
    restoreClockOffset(-20_000 * 24 * hourMs);
    expect(serverNow()).toBe(wallMs + 20_000 * 24 * hourMs);
    const strange = [Number.NaN, 1e300, -1e300, 8.64e15, -8.64e15, 1e14, Number.POSITIVE_INFINITY];
    for (const ms of strange) {
      restoreClockOffset(ms);
      expect(serverNow(), String(ms)).toBe(wallMs);
      expect(serverNowIso()).toBe(new Date(wallMs).toISOString());
    }
  });
});

describe('what is said of the clock', () => {
  it.each([
    [0, null],
    [4 * minuteMs, null],
    [-4 * minuteMs, null],
    [5 * minuteMs, 'fast 5 minutes'],
    [-15 * minuteMs, 'slow 15 minutes'],
    [60 * minuteMs, 'fast 1 hour'],
    [2 * hourMs, 'fast 2 hours'],
    [-24 * hourMs, 'slow 1 day'],
    [95 * minuteMs, 'fast 1.5 hours'],
    [50 * hourMs, 'fast 2 days'],
    [-400 * 24 * hourMs, 'slow 400 days'],
  ])('%d ms', (offsetMs, said) => {
    const fault = clockFault(offsetMs);
    expect(fault && `${fault.is} ${fault.amount}`).toBe(said);
  });
});
