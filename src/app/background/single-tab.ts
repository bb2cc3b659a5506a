/**
 * Every tab hears what became of an operation, and a person is told once: in a tab that they see,
 * the one in focus before others. What can wait is kept for the tab that is seen next.
 *
 *   heard ─▶ seen? ──yes──▶ lock of its name free? ──yes──▶ said, and the others told so
 *              └──no──▶ kept ──tab is seen──▶ ┘     └──no──▶ another tab says it
 */
import { createBroadcastChannel } from '#sync/coordination/channel.ts';

/** How long the tabs that are not in focus leave it to the one that is. */
const focusLeadMs = 200;
/** How long a claim is held: long enough for the others to have heard of it. */
const claimMs = 5_000;

export interface SingleTab {
  /** Calls `say` in one of this user's tabs. `canWait`: later, where nobody sees any of them now. */
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
