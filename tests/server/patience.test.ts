/** The measure of a call: what it waits for the database is bounded in all, not question by question. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { patiently, withMeasure } from '#server/database/patience.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A question that is answered after `ms`. */
const answeredAfter = (ms: number) => () =>
  new Promise<string>((resolve) => setTimeout(resolve, ms, 'answer'));
const never = () => new Promise<string>(() => undefined);
const nothing = () => undefined;

/** Asks one after another until one is given up; gives how many were answered, and after how long. */
async function askInTurn(limitMs: number, asks: (() => Promise<string>)[]) {
  const beganAt = performance.now();
  let answers = 0;
  try {
    for (const ask of asks) {
      await patiently(limitMs, ask, nothing);
      answers += 1;
    }
  } catch {
    // Given up: the rest is not asked.
  }
  return { answers, afterMs: performance.now() - beganAt };
}

describe('the questions of one call', () => {
  it('together wait as long as its measure, where each alone would be within its limit', async () => {
    const asked = withMeasure(1000, () => askInTurn(900, Array(5).fill(answeredAfter(400))));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await asked).toEqual({ answers: 2, afterMs: 1000 });
  });

  it('are not asked at all once nothing is left', async () => {
    const ask = vi.fn(never);
    const asked = withMeasure(1000, async () => {
      await patiently(5000, never, nothing).catch(nothing);
      return patiently(5000, ask, nothing).catch((error: unknown) => error);
    });
    await vi.advanceTimersByTimeAsync(1000);
    expect(await asked).toBeInstanceOf(Error);
    expect(ask).not.toHaveBeenCalled();
  });

  it('do not pay for what it waits for elsewhere, nor for another call', async () => {
    const call = () =>
      withMeasure(1000, async () => {
        await answeredAfter(5000)();
        return askInTurn(900, [answeredAfter(800)]);
      });
    const both = Promise.all([call(), call()]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await both).toEqual(Array(2).fill({ answers: 1, afterMs: 800 }));
  });
});

describe('a question', () => {
  it('of no call has its own limit', async () => {
    const asked = askInTurn(900, [answeredAfter(800), answeredAfter(800), never]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await asked).toEqual({ answers: 2, afterMs: 2500 });
  });

  it('that is given up says so once; its late failure harms nobody', async () => {
    const giveUp = vi.fn();
    let fail: (error: Error) => void = nothing;
    const ask = () =>
      new Promise<string>((_, reject) => {
        fail = reject;
      });
    const asked = patiently(100, ask, giveUp).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(100);
    const error = await asked;
    expect(giveUp.mock.calls).toEqual([[error]]);
    fail(new Error('The connection broke.'));
    await vi.advanceTimersByTimeAsync(1000);
    expect(giveUp).toHaveBeenCalledTimes(1);
  });
});
