import { beforeEach, describe, expect, it, vi } from 'vitest';
import { announce } from '#app/announcements.ts';
import type { Operation, OperationName } from '#domain/operation.ts';
import type { SyncEvent } from '#sync/engine.ts';
import { dismissToast, showError, showSuccess } from '#ui/toast.tsx';

vi.mock('#ui/toast.tsx', () => ({
  dismissToast: vi.fn(),
  showError: vi.fn(),
  showSuccess: vi.fn(),
}));

const madeAtMs = Date.parse('2026-11-21T10:00:00.000Z');
const subject = { subject: 'sending' };

function stage() {
  let say: (event: SyncEvent) => void = () => undefined;
  let nowMs = madeAtMs;
  announce(
    {
      subscribe: (listener) => {
        say = listener;
        return () => undefined;
      },
    },
    { once: (_, say) => say() },
    () => nowMs,
  );
  const operation = (name: OperationName) =>
    ({ name, createdAt: new Date(madeAtMs).toISOString(), lastError: null }) as Operation;
  return {
    hears: (ms: number, kind: 'acknowledged' | 'refused', name: OperationName) => {
      nowMs += ms;
      say({ kind, operation: operation(name) });
    },
  };
}

describe('what the server answered', () => {
  beforeEach(() => void vi.clearAllMocks());

  it('is said in the words of the operation, at once or hours later', () => {
    const { hears } = stage();
    hears(200, 'acknowledged', 'deliverPackage');
    expect(showSuccess).toHaveBeenLastCalledWith('Package marked as delivered!', subject);
    hears(3_600_000, 'acknowledged', 'createPackage');
    expect(showSuccess).toHaveBeenLastCalledWith('Package created successfully!', subject);
  });

  it('is said as one where several that waited are sent together', () => {
    const { hears } = stage();
    hears(60_000, 'acknowledged', 'createPackage');
    hears(300, 'acknowledged', 'editPackage');
    hears(300, 'acknowledged', 'editProfile');
    expect(showSuccess).toHaveBeenLastCalledWith('3 changes sent', subject);
    hears(10_000, 'acknowledged', 'editProfile');
    expect(showSuccess).toHaveBeenLastCalledWith('User updated successfully!', subject);
  });

  it('takes back that it is still being sent when it was refused', () => {
    const { hears } = stage();
    hears(5000, 'refused', 'createPackage');
    expect(dismissToast).toHaveBeenCalledWith('sending');
    expect(showError).toHaveBeenCalledWith('Failed to create package. Please try again.');
  });
});
