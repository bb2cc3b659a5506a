import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { confirmationWaitMs, DecidedElsewhereError, send } from '#data/submit-intent.ts';
import type { Intent, Operation } from '#domain/operation.ts';
import type { Failure } from '#domain/outcome.ts';
import type { SyncEngine, SyncEvent } from '#sync/engine.ts';

const intent: Intent = { name: 'deliverPackage', targetId: 'package', args: {} };
const operation = (id: string) => ({ ...intent, id }) as Operation;

const online = () => true;
const offline = () => false;

function fakeEngine(
  enqueue: (say: (event: SyncEvent) => void) => Promise<Operation>,
  lastFailure: Failure | null = null,
) {
  const listeners = new Set<(event: SyncEvent) => void>();
  const say = (event: SyncEvent) => {
    for (const listener of [...listeners]) listener(event);
  };
  const engine = {
    subscribe: (listener: (event: SyncEvent) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    enqueue: () => enqueue(say),
    status: () => ({ phase: 'pushing', lastFailure, isPaused: false }),
  } as unknown as SyncEngine;
  return { engine, say, listeners };
}

describe('sending an operation', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is confirmed when the server acknowledges that operation', async () => {
    const { engine, say, listeners } = fakeEngine(async () => operation('mine'));
    const { answer } = await send(engine, intent, online);
    say({ kind: 'refused', operation: operation('another') });
    say({ kind: 'acknowledged', operation: operation('mine') });
    expect((await answer).kind).toBe('confirmed');
    expect(listeners.size).toBe(0);
  });

  it('is confirmed though the answer arrived before the save was reported', async () => {
    const { engine } = fakeEngine(async (say) => {
      say({ kind: 'acknowledged', operation: operation('mine') });
      return operation('mine');
    });
    expect((await (await send(engine, intent, online)).answer).kind).toBe('confirmed');
  });

  it('is refused when the server refuses it', async () => {
    const { engine, say } = fakeEngine(async () => operation('mine'));
    const { answer } = await send(engine, intent, online);
    say({ kind: 'refused', operation: operation('mine') });
    expect((await answer).kind).toBe('refused');
  });

  it('replaces a refused one, or reports that it was resolved elsewhere', async () => {
    const { engine, listeners } = fakeEngine(async () => operation('new'));
    const replaced: [string, Intent][] = [];
    let answer: Operation | null = operation('instead');
    engine.replace = async (id, given) => {
      replaced.push([id, given]);
      return answer;
    };
    expect((await send(engine, intent, online, 'refused')).operation.id).toBe('instead');
    answer = null;
    await expect(send(engine, intent, online, 'refused')).rejects.toThrow(DecidedElsewhereError);
    expect(replaced).toEqual([
      ['refused', intent],
      ['refused', intent],
    ]);
    expect(listeners.size).toBe(1);
  });

  it('counts as queued only after the time-out', async () => {
    const { engine, listeners } = fakeEngine(async () => operation('mine'));
    const { answer } = await send(engine, intent, online);
    const heard = vi.fn();
    void answer.then(heard);
    await vi.advanceTimersByTimeAsync(confirmationWaitMs - 1);
    expect(heard).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(heard).toHaveBeenCalledWith({
      kind: 'queued',
      operation: operation('mine'),
      because: 'slow',
    });
    expect(listeners.size).toBe(0);
  });

  it.each([
    'network',
    'timeout',
  ] as const)('waits for the connection if the last attempt failed with %s', async (kind) => {
    const { engine } = fakeEngine(async () => operation('mine'), {
      kind,
      status: 0,
      code: '',
      message: '',
    });
    const { answer } = await send(engine, intent, online);
    await vi.advanceTimersByTimeAsync(confirmationWaitMs);
    expect(await answer).toMatchObject({ kind: 'queued', because: 'offline' });
  });

  it('does not wait for an answer while the browser is offline', async () => {
    const { engine } = fakeEngine(async () => operation('mine'));
    const { answer } = await send(engine, intent, offline);
    await vi.advanceTimersByTimeAsync(1);
    expect(await answer).toMatchObject({ kind: 'queued', because: 'offline' });
  });

  it('rejects without side effects if the device cannot save it', async () => {
    const { engine, listeners } = fakeEngine(() => Promise.reject(new Error('quota')));
    await expect(send(engine, intent, online)).rejects.toThrow('quota');
    expect(listeners.size).toBe(0);
  });
});
