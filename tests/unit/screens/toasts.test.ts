/** Toasts: one per subject, each with its own duration. */
import { toast } from 'react-hot-toast/headless';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { dismiss, say } from '#ui/toast-view.tsx';

/** Ids of visible toasts, oldest first, as in the library's store. */
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

describe('a toast', () => {
  it('replaces one on the same subject and has its own duration', () => {
    say('Delivery accepted!', 'good', sending);
    const [first] = shown;
    say('Delivery rejected successfully', 'good', sending);
    expect(shown).toHaveLength(1);
    // The timer of the first, already due when the second appeared.
    toast.dismiss(first);
    expect(shown).toHaveLength(1);
  });

  it('is shown beside toasts on other subjects', () => {
    say('Delivery accepted!', 'good', sending);
    say('Address copied.', 'plain', { durationMs: 2000 });
    expect(shown).toHaveLength(2);
  });

  it('is dismissed when it no longer applies', () => {
    say('Saved. Still sending…', 'good', sending);
    dismiss('sending');
    expect(shown).toEqual([]);
  });
});
