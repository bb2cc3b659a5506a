/** When a courier's phone tells the server where it is, with a manual clock and geolocation. */
import { beforeEach, describe, expect, it } from 'vitest';
import { createPositionSender, type PositionSender } from '#app/background/position-sender.ts';
import type { PositionBody } from '#contract/position.ts';
import { createFakeClock, type FakeClock } from '#tests/fakes/browser.ts';

const second = 1_000;
const minute = 60 * second;
/** Metres of one degree of latitude. */
const degreeMeters = 111_195;
const north = (meters: number) => 12 + meters / degreeMeters;

interface Reader {
  take: PositionCallback;
  fail: PositionErrorCallback | null | undefined;
  options: PositionOptions | undefined;
}

let clock: FakeClock;
let watch: Reader | null;
let asked: Reader[];
let sent: { meters: number; atSeconds: number }[];
let denials: number;
let sender: PositionSender;
/** What the server does with the next ones. */
let answer: () => Promise<unknown>;

const geolocation: Pick<Geolocation, 'watchPosition' | 'clearWatch' | 'getCurrentPosition'> = {
  watchPosition(take, fail, options) {
    watch = { take, fail, options };
    return 7;
  },
  clearWatch(id) {
    if (id === 7) watch = null;
  },
  getCurrentPosition(take, fail, options) {
    asked.push({ take, fail, options });
  },
};

const fixAt = (meters: number, accuracy = 10) =>
  ({ coords: { latitude: north(meters), longitude: 8, accuracy } }) as GeolocationPosition;
const settled = async () => {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
};

/** The phone is this far north of where it began. */
async function moveTo(meters: number, accuracy?: number): Promise<void> {
  watch?.take(fixAt(meters, accuracy));
  await settled();
}

async function pass(ms: number): Promise<void> {
  clock.advance(ms);
  await settled();
}

beforeEach(() => {
  clock = createFakeClock();
  const startMs = clock.now();
  watch = null;
  asked = [];
  sent = [];
  denials = 0;
  answer = async () => undefined;
  sender = createPositionSender({
    geolocation,
    clock,
    put: ({ lat }: PositionBody) => {
      const meters = Math.round((lat - 12) * degreeMeters);
      sent.push({ meters, atSeconds: (clock.now() - startMs) / second });
      return answer();
    },
    onDenied: () => {
      denials += 1;
    },
  });
  sender.setActive(true);
});

describe('a position is sent', () => {
  it('at the first fix, and then after 50 m', async () => {
    await moveTo(0);
    await pass(30 * second);
    await moveTo(49);
    await moveTo(51);
    expect(sent).toEqual([
      { meters: 0, atSeconds: 0 },
      { meters: 51, atSeconds: 30 },
    ]);
  });

  it('at most every 20 s, as the place where they are by then', async () => {
    await moveTo(0);
    for (let at = 1; at <= 60; at += 1) {
      await pass(second);
      await moveTo(at * 15);
    }
    expect(sent).toEqual([
      { meters: 0, atSeconds: 0 },
      { meters: 19 * 15, atSeconds: 20 },
      { meters: 39 * 15, atSeconds: 40 },
      { meters: 59 * 15, atSeconds: 60 },
    ]);
  });

  it('not for a move within the circle of uncertainty', async () => {
    await moveTo(0);
    await pass(30 * second);
    await moveTo(400, 500);
    await pass(30 * second);
    expect(sent).toHaveLength(1);
    await moveTo(600, 500);
    expect(sent).toHaveLength(2);
  });

  it('every 3 minutes while they stand still, read anew', async () => {
    await moveTo(0);
    await pass(3 * minute - 1);
    expect(asked).toHaveLength(0);
    await pass(1);
    expect([asked.length, sent.length]).toEqual([1, 1]);
    asked[0]?.take(fixAt(3));
    await settled();
    expect(sent.at(-1)).toEqual({ meters: 3, atSeconds: 180 });
    await pass(3 * minute);
    expect(asked).toHaveLength(2);
  });

  it("by the phone's economical means", () => {
    expect(watch?.options).toMatchObject({ enableHighAccuracy: false });
  });
});

describe('what could not be sent', () => {
  beforeEach(() => {
    answer = () => Promise.reject(new Error('No network.'));
  });

  it('is dropped: the next try sends where they are then', async () => {
    await moveTo(0);
    answer = async () => undefined;
    await pass(30 * second);
    await moveTo(700);
    await pass(10 * second);
    expect(sent).toEqual([
      { meters: 0, atSeconds: 0 },
      { meters: 700, atSeconds: 40 },
    ]);
  });

  it('is tried less and less often, up to every 3 minutes', async () => {
    for (let at = 0; at < 20 * 60; at += 5) {
      await moveTo(at);
      await pass(5 * second);
    }
    const times = sent.map(({ atSeconds }) => atSeconds);
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(gaps).toEqual([40, 80, 160, 180, 180, 180, 180, 180]);
  });

  it('is never sent as the present place once it is old', async () => {
    await moveTo(0);
    answer = async () => undefined;
    // No fix comes any more.
    await pass(40 * second);
    expect([asked.length, sent.length]).toEqual([1, 1]);
    asked[0]?.take(fixAt(900));
    await settled();
    expect(sent.at(-1)).toEqual({ meters: 900, atSeconds: 40 });
  });
});

describe('nothing is read or sent', () => {
  it('while it is not active', async () => {
    await moveTo(0);
    const before = watch;
    sender.setActive(false);
    expect([watch, clock.pending()]).toEqual([null, []]);
    before?.take(fixAt(5_000));
    await pass(10 * minute);
    expect([asked.length, sent.length]).toEqual([0, 1]);
  });

  it('sooner than 20 s after the last, however often it becomes active', async () => {
    await moveTo(0);
    for (let times = 0; times < 3; times += 1) {
      await pass(5 * second);
      sender.setActive(false);
      sender.setActive(true);
      await moveTo(times * 1_000 + 1_000);
    }
    expect(sent).toHaveLength(1);
    await pass(5 * second);
    expect(sent.at(-1)).toEqual({ meters: 3_000, atSeconds: 20 });
  });

  it('after the permission was taken back, which is said once', async () => {
    await moveTo(0);
    watch?.fail?.({ code: 1 } as GeolocationPositionError);
    expect([watch, denials, clock.pending()]).toEqual([null, 1, []]);
  });

  it('but the watch goes on where there is no fix just now', async () => {
    watch?.fail?.({ code: 3 } as GeolocationPositionError);
    expect([denials, sent.length]).toEqual([0, 0]);
    await moveTo(40);
    expect(sent).toHaveLength(1);
  });
});

it('stopping waits for what is on its way', async () => {
  let arrive = () => {};
  answer = () => new Promise<void>((resolve) => (arrive = resolve));
  await moveTo(0);
  let isOver = false;
  const stopping = sender.stop().then(() => {
    isOver = true;
  });
  await settled();
  expect([watch, isOver]).toEqual([null, false]);
  arrive();
  await stopping;
  await moveTo(100);
  expect(sent).toHaveLength(1);
});
