import { beforeEach, describe, expect, it, vi } from 'vitest';
import { bufferEvents, takeEvents } from '#app/background/event-buffer.ts';
import { startOperationToasts } from '#app/background/operation-toasts.ts';
import type { Operation } from '#domain/operation.ts';
import type { OperationName } from '#domain/operation-names.ts';
import type { SyncEvent } from '#sync/engine.ts';
import { dismissToast, showError, showSuccess } from '#ui/toast.tsx';

vi.mock('#ui/toast.tsx', () => ({
  dismissToast: vi.fn(),
  showError: vi.fn(),
  showSuccess: vi.fn(),
}));

const madeAtMs = Date.parse('2026-11-21T10:00:00.000Z');
const subject = { subject: 'sending' };

function stage({ isShown = false } = {}) {
  let say: (event: SyncEvent) => void = () => undefined;
  let nowMs = madeAtMs;
  let made = 0;
  const open = vi.fn();
  const undo = vi.fn();
  startOperationToasts({
    engine: {
      subscribe: (listener) => {
        say = listener;
        return () => undefined;
      },
    },
    singleTab: { once: (_, say) => say() },
    open,
    isShown: () => isShown,
    undo,
    now: () => nowMs,
  });
  const operation = (name: OperationName, code: string) => {
    made += 1;
    return {
      id: `operation-${made}`,
      name,
      targetId: `package-${made}`,
      subject: `KY-00000${made} · Cloth`,
      createdAt: new Date(madeAtMs).toISOString(),
      args: { description: 'Cloth' },
      lastError: code ? { code, message: '', status: 409, at: '' } : null,
    } as Operation;
  };
  return {
    open,
    undo,
    /** Presses the action of the last success toast. */
    pressUndo: () => vi.mocked(showSuccess).mock.lastCall?.[1]?.action?.onAct(),
    hears: (
      ms: number,
      kind: 'acknowledged' | 'refused',
      name: OperationName,
      code = kind === 'refused' ? 'conflict' : '',
    ) => {
      nowMs += ms;
      say({ kind, operation: operation(name, code) });
    },
    /** Presses the action of the last refusal toast. */
    press: () => vi.mocked(showError).mock.lastCall?.[1]?.action?.onAct(),
  };
}

it('a step of a delivery can be taken back for ten seconds, other changes not', () => {
  const { hears, undo, pressUndo } = stage();
  hears(0, 'acknowledged', 'pickUp');
  expect(vi.mocked(showSuccess).mock.lastCall?.[1]?.durationMs).toBe(10_000);
  pressUndo();
  expect(undo).toHaveBeenCalledWith(expect.objectContaining({ name: 'pickUp' }));
  hears(0, 'acknowledged', 'acceptPackage');
  expect(showSuccess).toHaveBeenLastCalledWith('Delivery accepted!', subject);
});

describe('the toast for an answer', () => {
  beforeEach(() => void vi.clearAllMocks());

  it("uses the operation's message, immediately or hours later", () => {
    const { hears } = stage();
    hears(200, 'acknowledged', 'deliverPackage');
    expect(showSuccess).toHaveBeenLastCalledWith(
      'Package marked as delivered!',
      expect.objectContaining(subject),
    );
    hears(3_600_000, 'acknowledged', 'createPackage');
    expect(showSuccess).toHaveBeenLastCalledWith('Package created successfully!', subject);
  });

  it('is one for several waiting operations sent together', () => {
    const { hears } = stage();
    hears(60_000, 'acknowledged', 'createPackage');
    hears(300, 'acknowledged', 'editPackage');
    hears(300, 'acknowledged', 'editProfile');
    expect(showSuccess).toHaveBeenLastCalledWith('3 changes sent', subject);
    hears(10_000, 'acknowledged', 'editProfile');
    expect(showSuccess).toHaveBeenLastCalledWith('User updated successfully!', subject);
  });

  it('retracts the sending toast on a refusal', () => {
    const { hears } = stage();
    hears(1000, 'refused', 'createPackage');
    expect(dismissToast).toHaveBeenCalledWith('sending');
    expect(showError).toHaveBeenCalledWith('Failed to create package. Please try again.');
  });

  it('names the package of a late refusal and links to its card', () => {
    const { hears, press, open } = stage();
    hears(60_000, 'refused', 'deliverPackage');
    expect(showError).toHaveBeenLastCalledWith(
      'KY-000001 · Cloth: Update failed',
      expect.objectContaining({ subject: 'refused' }),
    );
    press();
    expect(open).toHaveBeenCalledWith('/outbox?about=package-1');
  });

  it('is one for several late refusals and links to all', () => {
    const { hears, press, open } = stage();
    hears(60_000, 'refused', 'acceptPackage');
    hears(300, 'refused', 'acceptPackage');
    hears(300, 'refused', 'editPackage');
    expect(showError).toHaveBeenLastCalledWith(
      '3 changes need attention',
      expect.objectContaining({ subject: 'refused' }),
    );
    press();
    expect(open).toHaveBeenCalledWith('/outbox');
  });

  it('covers no card that says the same, but still says what has been sent', () => {
    const { hears } = stage({ isShown: true });
    hears(1000, 'refused', 'createPackage');
    hears(60_000, 'refused', 'acceptPackage');
    expect(dismissToast).toHaveBeenCalledWith('sending');
    expect(showError).not.toHaveBeenCalled();
    hears(0, 'acknowledged', 'acceptPackage');
    expect(showSuccess).toHaveBeenCalledTimes(1);
  });

  it('counts operations refused only because of another, as Changes does', () => {
    const { hears, press, open } = stage();
    hears(60_000, 'refused', 'acceptPackage');
    hears(0, 'refused', 'deliverPackage', 'depends_on_refused');
    hears(0, 'refused', 'uploadProof', 'depends_on_refused');
    expect(showError).toHaveBeenLastCalledWith(
      '3 changes need attention',
      expect.objectContaining({ subject: 'refused' }),
    );
    press();
    expect(open).toHaveBeenCalledWith('/outbox');
  });

  it('says nothing of them alone, nor while the screen of the refused one still waits', () => {
    const { hears } = stage();
    hears(1_000, 'refused', 'deliverPackage', 'depends_on_refused');
    hears(60_000, 'refused', 'deliverPackage', 'depends_on_refused');
    expect(showError).not.toHaveBeenCalled();
  });
});

describe('answers received before a screen is ready', () => {
  beforeEach(() => void vi.clearAllMocks());

  it('are shown by the first screen, once', () => {
    const listeners = new Set<(event: SyncEvent) => void>();
    const engine = {
      subscribe: (listener: (event: SyncEvent) => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    };
    bufferEvents(engine);
    const operation = {
      id: 'one',
      name: 'acceptPackage',
      createdAt: new Date(madeAtMs).toISOString(),
      lastError: null,
    } as Operation;
    for (const listener of [...listeners]) listener({ kind: 'acknowledged', operation });
    const singleTab = { once: (_: string, say: () => void) => say() };
    const begin = () =>
      startOperationToasts({
        engine,
        singleTab,
        early: takeEvents(engine),
        open: () => undefined,
        isShown: () => false,
        undo: () => undefined,
      });
    begin();
    expect(showSuccess).toHaveBeenCalledWith('Delivery accepted!', subject);
    begin();
    expect(showSuccess).toHaveBeenCalledTimes(1);
  });
});
