/** What is said in passing: one thing per subject, and each for its own time. */
import { toast } from 'react-hot-toast/headless';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { dismiss, say } from '#ui/toast-view.tsx';

/** Ids of what is there, oldest first: as the library's own store has them. */
let shown: string[];

beforeEach(() => {
  shown = [];
  vi.spyOn(toast, 'custom').mockImplementation((_, { id = '' } = {}) => {
    if (!shown.includes(id)) shown.push(id);
    return id;
  });
  const takeAway = (id?: string) => {
    shown = shown.filter((one) => one !== id);
  };
  vi.spyOn(toast, 'remove').mockImplementation(takeAway);
  vi.spyOn(toast, 'dismiss').mockImplementation(takeAway);
});

afterEach(() => {
  vi.restoreAllMocks();
});

const sending = { subject: 'sending', durationMs: 2000 };

describe('what is said in passing', () => {
  it('takes the place of what was said of the same subject, and is not ended with it', () => {
    say('Delivery accepted!', 'good', sending);
    const [first] = shown;
    say('Delivery rejected successfully', 'good', sending);
    expect(shown).toHaveLength(1);
    // The timer of the first, which was due already when the second came.
    toast.dismiss(first);
    expect(shown).toHaveLength(1);
  });

  it('stands beside what was said of another subject', () => {
    say('Delivery accepted!', 'good', sending);
    say('Address copied.', 'plain', { durationMs: 2000 });
    expect(shown).toHaveLength(2);
  });

  it('goes when it no longer holds', () => {
    say('Saved. Still sending…', 'good', sending);
    dismiss('sending');
    expect(shown).toEqual([]);
  });
});
