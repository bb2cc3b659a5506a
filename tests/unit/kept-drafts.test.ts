/** Drafts stored by an older version of the app are kept; a log-out counts those of all tabs. */
import { createStore } from 'jotai';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { localStorageOf } from '#tests/fakes/local-storage.ts';

const kept = new Map<string, string>();

beforeEach(() => {
  kept.clear();
  vi.resetModules();
  vi.stubGlobal('localStorage', localStorageOf(kept));
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

describe('a form that was begun', () => {
  const begun: [name: string, key: string, stored: unknown, count: number][] = [
    ['new package', 'packageDraft', ofOlder, 1],
    ['package sent again', 'againDraft', ofOlder, 1],
    ['package without a word', 'packageDraft', { ...ofOlder, packageId: '' }, 0],
    ['two edits', 'editDrafts', { 'u/p': {}, 'u/q': {} }, 2],
    ['sheet at the door', 'deliveryDrafts', { 'u/p': { isOpen: 'deliver', note: 'Gate' } }, 1],
    ['sheet that was only opened', 'deliveryDrafts', { 'u/p': { isOpen: 'deliver', note: '' } }, 0],
    ['unanswered cash', 'deliveryDrafts', { 'u/p': { isCashCollected: null } }, 0],
    ['no cash collected', 'deliveryDrafts', { 'u/p': { isCashCollected: false } }, 1],
    ['decision as it begins', 'deliveryDrafts', { 'u/p/decide a': { courierPercent: '50' } }, 0],
    ['decision', 'deliveryDrafts', { 'u/p/decide a': { courierPercent: '70' } }, 1],
    ['own profile', 'profileDraft', { base: { id: 'u' }, form: {} }, 1],
    ['own profile that was saved', 'profileDraft', null, 0],
    ['nothing readable', 'editDrafts', 'lost', 0],
  ];

  it.each(begun)('in another tab is counted: %s', async (_, key, stored, count) => {
    const { countFormsAtom } = await import('#state/count-forms.ts');
    const store = createStore();
    expect(store.set(countFormsAtom)).toBe(0);
    kept.set(key, JSON.stringify(stored));
    expect(store.set(countFormsAtom)).toBe(count);
  });

  it('about other users is counted in its tab', async () => {
    const { countFormsAtom } = await import('#state/count-forms.ts');
    const { userDraftsAtom } = await import('#state/users.ts');
    const store = createStore();
    const added = { firstName: '', lastName: '', email: '', role: '' };
    store.set(userDraftsAtom, { added, others: { saved: undefined } } as never);
    expect(store.set(countFormsAtom)).toBe(0);
    const others = { saved: undefined, edited: { base: {}, form: {} } };
    store.set(userDraftsAtom, { added: { ...added, firstName: 'Sani' }, others } as never);
    expect(store.set(countFormsAtom)).toBe(2);
  });

  it('is none of a damaged entry', async () => {
    const { countFormsAtom } = await import('#state/count-forms.ts');
    for (const damaged of ['{', '7', '"text"', '[]', 'null']) {
      for (const key of ['packageDraft', 'editDrafts', 'deliveryDrafts']) kept.set(key, damaged);
      expect(createStore().set(countFormsAtom), damaged).toBe(0);
    }
  });
});
