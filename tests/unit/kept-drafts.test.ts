/** Drafts stored by an older version of the app are kept. */
import { createStore } from 'jotai';
import { beforeEach, describe, expect, it, vi } from 'vitest';

const kept = new Map<string, string>();

beforeEach(() => {
  kept.clear();
  vi.resetModules();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
});

const ofOlder = { userId: 'u', packageId: 'p', step: 1, form: { pickupAddress: '4 Zoo Road' } };

describe('a draft', () => {
  it.each([
    ['fewer fields is loaded', ofOlder, '4 Zoo Road'],
    ['a field that is not text is discarded', { ...ofOlder, form: { pickupAddress: 7 } }, ''],
    ['no form is discarded', { ...ofOlder, form: null }, ''],
  ])('with %s', async (_, draft, pickupAddress) => {
    kept.set('packageDraft', JSON.stringify(draft));
    const { packageDraftAtom } = await import('#state/package-drafts.ts');
    expect(createStore().get(packageDraftAtom).form.pickupAddress).toBe(pickupAddress);
  });

  it("of an edit with fewer fields is loaded without another's", async () => {
    const state = { status: 'pending', paymentStatus: 'unpaid', form: { notes: 'Ring twice' } };
    kept.set('editDrafts', JSON.stringify({ one: { before: {}, state } }));
    const { editDraftsAtom } = await import('#state/package-drafts.ts');
    expect(createStore().get(editDraftsAtom).one?.state.form.notes).toBe('Ring twice');
  });
});
