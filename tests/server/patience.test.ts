/** Time limits of a database query and of the call that makes it. */
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { withTimeout } from '#server/config/timeouts.ts';
import { Refusal } from '#server/http/refusal.ts';
import { addTimeLimit, answerInTime } from '#server/plugins/answer-timeout.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A query answered after `ms`. */
const answeredAfter = (ms: number) => () =>
  new Promise<string>((resolve) => setTimeout(resolve, ms, 'answer'));
const never = () => new Promise<string>(() => undefined);
const nothing = () => undefined;
const givenUp = () => new Error('no answer');

/** Queries until one times out; returns how many were answered, and after how long. */
async function askInTurn(limitMs: number, asks: (() => Promise<string>)[]) {
  const beganAt = performance.now();
  let answers = 0;
  try {
    for (const ask of asks) {
      await withTimeout(limitMs, ask, givenUp);
      answers += 1;
    }
  } catch {
    // Timed out: the rest is not queried.
  }
  return { answers, afterMs: performance.now() - beganAt };
}

describe('a call', () => {
  it('is refused as unavailable when its budget is over, however many queries were answered', async () => {
    const asked = answerInTime(1000, () => askInTurn(900, Array(5).fill(answeredAfter(400))));
    const refused = asked.catch((error: unknown) => [error, performance.now()]);
    const beganAt = performance.now();
    await vi.advanceTimersByTimeAsync(10_000);
    const [error, at] = (await refused) as [Refusal, number];
    expect(error).toBeInstanceOf(Refusal);
    expect([error.code, error.details.retryAfterSeconds]).toEqual(['unavailable', 5]);
    expect(at - beganAt).toBe(1000);
  });

  it('is answered if done in time, and its late failure is ignored', async () => {
    const asked = answerInTime(1000, answeredAfter(900));
    const late = answerInTime(1000, async () => {
      await answeredAfter(2000)();
      throw new Error('too late to say so');
    }).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await asked).toBe('answer');
    expect(await late).toBeInstanceOf(Refusal);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('that finishes late is answered once, on any route but a file', async () => {
    const app = Fastify();
    addTimeLimit(app, 1000);
    app.setErrorHandler(async (error, _, reply) => reply.code((error as Refusal).status).send({}));
    const slow = async (_: FastifyRequest, reply: FastifyReply) => {
      await answeredAfter(3000)();
      return reply.send({ isLate: true });
    };
    app.get('/call', slow);
    app.get('/files/*', slow);
    await app.ready();
    const both = Promise.all([app.inject('/call'), app.inject('/files/one')]);
    await vi.advanceTimersByTimeAsync(10_000);
    const [call, file] = await both;
    expect([call.statusCode, file.statusCode, file.json()]).toEqual([503, 200, { isLate: true }]);
  });
});

describe('a query', () => {
  it('has its own limit', async () => {
    const asked = askInTurn(900, [answeredAfter(800), answeredAfter(800), never]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await asked).toEqual({ answers: 2, afterMs: 2500 });
  });

  it('that times out rejects once; its late failure is ignored', async () => {
    const giveUp = vi.fn(givenUp);
    let fail: (error: Error) => void = nothing;
    const ask = () =>
      new Promise<string>((_, reject) => {
        fail = reject;
      });
    const asked = withTimeout(100, ask, giveUp).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(100);
    expect(giveUp.mock.results).toEqual([{ type: 'return', value: await asked }]);
    fail(new Error('The connection broke.'));
    await vi.advanceTimersByTimeAsync(1000);
    expect(giveUp).toHaveBeenCalledTimes(1);
  });
});
