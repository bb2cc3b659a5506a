/**
 * Every tab receives an operation's result; one visible tab announces it, the focused one first.
 * A hidden tab keeps a result that can wait until a tab becomes visible.
 *
 *   received ─▶ visible? ──yes──▶ lock of its name free? ──yes──▶ announces, tells the other tabs
 *                   └──no──▶ kept ──becomes visible──▶ ┘   └──no──▶ another tab announces it
 */
import { createBroadcastChannel } from '#sync/coordination/channel.ts';

/** Head start of the focused tab. */
const focusLeadMs = 200;
/** Held long enough for the other tabs to receive the broadcast. */
const claimMs = 5_000;

export interface SingleTab {
  /** Calls `say` in one of this user's tabs. `canWait`: later, if none is visible now. */
  once(id: string, say: () => void, options: { canWait: boolean }): void;
  stop(): void;
}

const after = (delayMs: number) => new Promise<void>((resolve) => setTimeout(resolve, delayMs));

export function createSingleTab(userId: string): SingleTab {
  const channel = createBroadcastChannel(`kaya-said-${userId}`);
  const stopping = new AbortController();
  const { signal } = stopping;
  const kept = new Map<string, () => void>();
  const saidElsewhere = new Set<string>();
  const isSeen = () => document.visibilityState === 'visible';
  const stopListening = channel.listen((id) => {
    kept.delete(String(id));
    saidElsewhere.add(String(id));
  });

  function speak(id: string, say: () => void) {
    if (signal.aborted || saidElsewhere.has(id)) return;
    channel.post(id);
    say();
  }

  async function claim(id: string, say: () => void): Promise<void> {
    if (!navigator.locks) return speak(id, say);
    if (!document.hasFocus()) await after(focusLeadMs);
    await navigator.locks.request(`kaya-say-${id}`, { ifAvailable: true }, async (lock) => {
      if (!lock) return;
      speak(id, say);
      await after(claimMs);
    });
  }

  document.addEventListener(
    'visibilitychange',
    () => {
      if (!isSeen()) return;
      for (const [id, say] of kept) void claim(id, say);
      kept.clear();
    },
    { signal },
  );

  return {
    once(id, say, { canWait }) {
      if (isSeen()) void claim(id, say);
      else if (canWait) kept.set(id, say);
    },
    stop() {
      stopping.abort();
      stopListening();
    },
  };
}
