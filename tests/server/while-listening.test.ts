/** Work that a listening server does again and again. */
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { whileListening } from '#server/http/while-listening.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A server whose hooks the test calls. */
function hooked() {
  const hooks = new Map<string, () => Promise<void>>();
  const addHook = (name: string, hook: () => Promise<void>) => hooks.set(name, hook);
  return {
    app: { addHook } as unknown as FastifyInstance,
    call: (name: string) => hooks.get(name)?.(),
  };
}

it('that takes long is not done several times in a row afterwards', async () => {
  const { app, call } = hooked();
  let rounds = 0;
  let finish = () => {};
  const work = () => {
    rounds += 1;
    return new Promise<void>((resolve) => {
      finish = resolve;
    });
  };
  whileListening(app, 1_000, work, () => undefined);
  await call('onListen');
  await vi.advanceTimersByTimeAsync(10_500);
  finish();
  await vi.advanceTimersByTimeAsync(400);
  expect(rounds).toBe(1);
  await vi.advanceTimersByTimeAsync(100);
  expect(rounds).toBe(2);
  finish();
  await call('preClose');
});

it('goes on after a failure, and says nothing of what fails as the server closes', async () => {
  const { app, call } = hooked();
  const failures: string[] = [];
  let rounds = 0;
  const work = async (stop: AbortSignal) => {
    rounds += 1;
    if (rounds === 1) throw new Error('away');
    await new Promise((_, reject) => {
      stop.addEventListener('abort', () => reject(new Error('stopped')));
    });
  };
  whileListening(app, 1_000, work, ({ message }) => failures.push(message));
  await call('onListen');
  await vi.advanceTimersByTimeAsync(1_000);
  await call('preClose');
  await vi.advanceTimersByTimeAsync(5_000);
  expect([rounds, failures]).toEqual([2, ['away']]);
});
