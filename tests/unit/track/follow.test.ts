/** How the recipient's page follows: by the stream, and by asking while there is none. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Contact, firstAskMs, firstByteMs, follow, silenceMs } from '#track/follow.ts';

/** Longer than any pause between two questions. */
const pauseMs = 31_000;

function createStage() {
  const told: Contact[] = [];
  const streams: { bytes(): void; state(): void; end(): void; signal: AbortSignal }[] = [];
  const stage = { told, streams, asked: 0, hasNetwork: true };
  const follower = follow(
    {
      stream: (signal, on) =>
        new Promise((resolve) => streams.push({ ...on, end: resolve, signal })),
      ask: async () => {
        stage.asked += 1;
        if (!stage.hasNetwork) throw new Error('No network.');
      },
      tell: (contact) => told.push(contact),
      random: () => 0.5,
    },
    Date.now(),
  );
  return {
    stage,
    follower,
    last: () => told.at(-1),
    newest: () => {
      const stream = streams.at(-1);
      if (!stream) throw new Error('No stream was opened.');
      return stream;
    },
  };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A stage whose stream is open and has said how things are. */
async function liveStage() {
  const found = createStage();
  found.follower.wake();
  await vi.advanceTimersByTimeAsync(0);
  found.newest().bytes();
  found.newest().state();
  return found;
}

describe('the recipient’s page', () => {
  it('hears without having asked', async () => {
    const { stage, last } = await liveStage();
    expect(last()).toEqual({ kind: 'live' });
    // Heartbeats.
    for (let beat = 0; beat < 20; beat += 1) {
      await vi.advanceTimersByTimeAsync(25_000);
      stage.streams[0]?.bytes();
    }
    expect(stage.asked).toBe(0);
    expect(stage.streams).toHaveLength(1);
  });

  it('asks when the stream is not there in time, and hears it when it comes', async () => {
    const { stage, follower, newest, last } = createStage();
    follower.wake();
    await vi.advanceTimersByTimeAsync(firstAskMs);
    expect(stage.asked).toBe(1);
    expect(last()).toEqual({ kind: 'asked', at: Date.now() });
    newest().bytes();
    newest().state();
    expect(last()).toEqual({ kind: 'live' });
    await vi.advanceTimersByTimeAsync(pauseMs);
    expect(stage.asked).toBe(1);
  });

  it('drops an answer that may be older than what the stream said', async () => {
    let signal: AbortSignal | undefined;
    const stream = { bytes() {}, state() {} };
    const follower = follow(
      {
        stream: (_, on) => {
          Object.assign(stream, on);
          return new Promise(() => {});
        },
        ask: (given) => {
          signal = given;
          return new Promise(() => {});
        },
        tell: () => {},
      },
      Date.now(),
    );
    follower.wake();
    await vi.advanceTimersByTimeAsync(firstAskMs);
    expect(signal?.aborted).toBe(false);
    stream.bytes();
    stream.state();
    expect(signal?.aborted).toBe(true);
  });

  it('goes on by asking when the stream ends, and back to a stream that works', async () => {
    const { stage, newest, last } = await liveStage();
    newest().end();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(stage.asked).toBe(1);
    expect(last()?.kind).toBe('asked');
    await vi.advanceTimersByTimeAsync(pauseMs);
    expect(stage.asked).toBe(2);
    expect(stage.streams).toHaveLength(2);
    newest().bytes();
    newest().state();
    expect(last()).toEqual({ kind: 'live' });
    const { asked } = stage;
    for (let beat = 0; beat < 5; beat += 1) {
      await vi.advanceTimersByTimeAsync(25_000);
      newest().bytes();
    }
    expect(stage.asked).toBe(asked);
  });

  it('takes a silent stream for a cut one', async () => {
    const { stage, newest } = await liveStage();
    await vi.advanceTimersByTimeAsync(silenceMs - 1);
    expect(newest().signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(stage.streams[0]?.signal.aborted).toBe(true);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(stage.asked).toBe(1);
  });

  it('keeps asking where streams are held back, and tries them less and less often', async () => {
    const { stage, follower } = createStage();
    follower.wake();
    await vi.advanceTimersByTimeAsync(firstByteMs);
    expect(stage.streams[0]?.signal.aborted).toBe(true);
    await vi.advanceTimersByTimeAsync(60 * 60_000);
    // Every 22.5 s.
    expect(stage.asked).toBeGreaterThan(120);
    expect(stage.streams.length).toBeLessThan(25);
    expect(stage.streams.length).toBeGreaterThan(10);
  });

  it('says so without a network, since when, and asks again', async () => {
    const { stage, newest, last } = await liveStage();
    const at = Date.now();
    stage.hasNetwork = false;
    newest().end();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(last()).toEqual({ kind: 'cut', at });
    stage.hasNetwork = true;
    await vi.advanceTimersByTimeAsync(pauseMs);
    expect(last()?.kind).toBe('asked');
  });

  it('does nothing in the background, and hears again on return', async () => {
    const { stage, follower, newest } = await liveStage();
    follower.rest();
    expect(newest().signal.aborted).toBe(true);
    await vi.advanceTimersByTimeAsync(60 * 60_000);
    expect(stage.asked).toBe(0);
    expect(stage.streams).toHaveLength(1);
    follower.wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(stage.streams).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(firstAskMs);
    expect(stage.asked).toBe(1);
  });

  it('is not live by what the stream says that it left', async () => {
    const { stage, follower } = await liveStage();
    const { told } = stage;
    follower.rest();
    follower.wake();
    const { length } = told;
    stage.streams[0]?.bytes();
    stage.streams[0]?.state();
    expect(told).toHaveLength(length);
    await vi.advanceTimersByTimeAsync(firstAskMs);
    expect(told.at(-1)?.kind).toBe('asked');
  });
});
