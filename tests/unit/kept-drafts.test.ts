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
  it('of a version with fewer fields is loaded', async () => {
    kept.set('packageDraft', JSON.stringify(ofOlder));
    const { packageDraftAtom } = await import('#state/package-drafts.ts');
    expect(createStore().get(packageDraftAtom).form.pickupAddress).toBe('4 Zoo Road');
  });

  it.each([
    ['a field that is not text', { ...ofOlder, form: { pickupAddress: 7 } }],
    ['no form', { ...ofOlder, form: null }],
  ])('with %s is discarded', async (_, draft) => {
    kept.set('packageDraft', JSON.stringify(draft));
    const { packageDraftAtom } = await import('#state/package-drafts.ts');
    expect(createStore().get(packageDraftAtom).userId).toBe('');
  });

  it("of an edit with fewer fields is loaded without another's", async () => {
    const state = { status: 'pending', paymentStatus: 'unpaid', form: { notes: 'Ring twice' } };
    kept.set('editDrafts', JSON.stringify({ one: { before: {}, state } }));
    const { editDraftsAtom } = await import('#state/package-drafts.ts');
    expect(createStore().get(editDraftsAtom).one?.state.form.notes).toBe('Ring twice');
  });
});
