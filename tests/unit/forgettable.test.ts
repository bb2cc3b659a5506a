/** What is typed here ends with its user, whether or not its file was ever loaded. */
import { type Atom, createStore } from 'jotai';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { localStorageOf } from '#tests/fakes/local-storage.ts';

const kept = new Map<string, string>();

beforeEach(() => {
  kept.clear();
  vi.resetModules();
  vi.stubGlobal('localStorage', localStorageOf(kept));
});

describe('forgetting what was typed', () => {
  it('empties the storage of files that were never loaded', async () => {
    const { forgetTypedAtom, typedKeys } = await import('#state/forgettable.ts');
    for (const key of Object.values(typedKeys)) kept.set(key, '"typed"');
    createStore().set(forgetTypedAtom);
    expect([...kept.keys()]).toEqual([]);
  });

  it('resets every atom of the loaded ones', async () => {
    const { draftOwnerAtom } = await import('#state/forgettable.ts');
    const { emptyDraft, ...packages } = await import('#state/package-drafts.ts');
    const { deliveryDraftsAtom } = await import('#state/delivery-drafts.ts');
    const { paymentAtom } = await import('#state/payment.ts');
    const lists = await import('#state/package-ui.ts');
    const { userDraftsAtom, userFilterAtom } = await import('#state/users.ts');
    const { unansweredCallsAtom } = await import('#state/unanswered-calls.ts');
    const store = createStore();
    store.set(draftOwnerAtom, 'ada');
    const atoms: readonly Atom<unknown>[] = [
      packages.packageDraftAtom,
      packages.againDraftAtom,
      packages.editDraftsAtom,
      deliveryDraftsAtom,
      paymentAtom,
      lists.selectedPackageAtom,
      lists.createdPackageAtom,
      lists.packageFiltersAtom,
      lists.packageSearchAtom,
      lists.packageSortAtom,
      lists.lastTabsAtom,
      userDraftsAtom,
      userFilterAtom,
      unansweredCallsAtom,
    ];
    const initial = atoms.map((each) => store.get(each));

    store.set(packages.packageDraftAtom, { ...emptyDraft, userId: 'ada', step: 2 });
    store.set(packages.againDraftAtom, { ...emptyDraft, userId: 'ada', step: 1 });
    store.set(packages.editDraftsAtom, { 'ada/p': {} } as never);
    store.set(deliveryDraftsAtom, { 'ada/p': { note: 'Gate' } });
    store.set(paymentAtom, { kind: 'initiated', amount: 100 });
    store.set(lists.showCreatedAtom, 'p');
    store.set(lists.packageFiltersAtom, { ...lists.noFilters, senderId: 'ada' });
    store.set(lists.packageSearchAtom, 'cloth');
    store.set(lists.packageSortAtom, 'newest');
    store.set(lists.lastTabsAtom, { '/tracking': '/tracking/all' });
    store.set(userDraftsAtom, { added: {} as never, others: {} });
    store.set(userFilterAtom, { text: 'Bello', role: '', state: '' });
    store.set(unansweredCallsAtom, new Map([['p', new Map()]]));
    for (const [nth, each] of atoms.entries()) {
      expect(store.get(each), String(nth)).not.toEqual(initial[nth]);
    }

    store.set(draftOwnerAtom, 'ada');
    expect(store.get(lists.packageSearchAtom)).toBe('cloth');
    store.set(draftOwnerAtom, 'bala');
    expect(atoms.map((each) => store.get(each))).toEqual(initial);
    expect(kept.get('typist')).toBe('bala');
  });
});
