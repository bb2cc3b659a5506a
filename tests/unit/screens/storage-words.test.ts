/** Messages for failing storage, and the fallback without local storage. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { notSavedSentence, queuedSentence } from '#data/submit-intent.ts';
import { NotSavedError, type StorageFault } from '#db/storage-fault.ts';
import type { Operation } from '#domain/operation.ts';
import { safeLocalStorage } from '#state/safe-storage.ts';
import { localStorageOf } from '#tests/fakes/local-storage.ts';

describe('the message that something is not saved', () => {
  it.each([
    ['for a full phone gives the remedy', 'full', /phone is out of storage\. Free up some space/],
    ['for a newer version says to reload', 'outdated', /updated in another tab\. Reload/],
    ['for any other storage error says to try again', 'lost', /try again/],
  ] as const)('%s', (_, fault, sentence) => {
    const error = new NotSavedError(new DOMException('', 'AbortError'), fault);
    expect(notSavedSentence(error, 'editPackage')).toMatch(/^Not saved:/);
    expect(notSavedSentence(error, 'editPackage')).toMatch(sentence);
  });

  it('exists for every error', () => {
    expect(notSavedSentence(new TypeError('no'), 'acceptPackage')).toMatch(/^Not saved:/);
    const quota = new DOMException('', 'QuotaExceededError');
    expect(notSavedSentence(new NotSavedError(quota), 'acceptPackage')).toMatch(
      /phone is out of storage/,
    );
  });

  it('mentions a form only if there is one', () => {
    const error = new NotSavedError(new DOMException('', 'AbortError'), 'full');
    expect(notSavedSentence(error, 'createPackage')).toContain('Your entries are still here.');
    expect(notSavedSentence(error, 'acceptPackage')).not.toContain('form');
  });
});

describe('the message that something has to wait', () => {
  const queued = (because: 'offline' | 'slow') => ({
    kind: 'queued' as const,
    because,
    operation: {} as Operation,
  });

  it.each([
    'offline',
    'slow',
  ] as const)('says saved only if it is, and never in a browser without storage (%s)', (because) => {
    const faults: (StorageFault | null)[] = [null, 'full', 'lost'];
    for (const fault of faults) expect(queuedSentence(queued(because), fault)).toMatch(/^Saved/);
    expect(queuedSentence(queued(because), 'none')).not.toMatch(/saved/i);
    expect(queuedSentence(queued(because), 'none')).toMatch(/Keep Kaya open/);
  });
});

describe('safe local storage', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('falls back to memory if local storage throws', () => {
    const refuse = () => {
      throw new DOMException('', 'SecurityError');
    };
    vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse, removeItem: refuse });
    expect(safeLocalStorage.getItem('draft')).toBeNull();
    safeLocalStorage.setItem('draft', 'typed');
    expect(safeLocalStorage.getItem('draft')).toBe('typed');
    safeLocalStorage.removeItem('draft');
    expect(safeLocalStorage.getItem('draft')).toBeNull();
  });

  it('reads local storage where it works, the latest value first', () => {
    const kept = new Map<string, string>();
    let isFull = true;
    const local = localStorageOf(kept);
    const setItem = (key: string, value: string) => {
      if (isFull) throw new DOMException('', 'QuotaExceededError');
      local.setItem(key, value);
    };
    vi.stubGlobal('localStorage', { ...local, setItem });
    kept.set('draft', 'old');
    safeLocalStorage.setItem('draft', 'new');
    expect(safeLocalStorage.getItem('draft')).toBe('new');
    isFull = false;
    safeLocalStorage.setItem('draft', 'newer');
    expect(kept.get('draft')).toBe('newer');
    expect(safeLocalStorage.getItem('draft')).toBe('newer');
    safeLocalStorage.removeItem('draft');
    expect(kept.has('draft')).toBe(false);
  });
});
