/** Deletes drafts and pending payments when the mirror is wiped (app/session/session.ts). */
import { atom } from 'jotai';
import { deliveryDraftsAtom } from './delivery-drafts.ts';
import { againDraftAtom, editDraftsAtom, emptyDraft, packageDraftAtom } from './package-drafts.ts';
import {
  lastTabsAtom,
  noFilters,
  packageFiltersAtom,
  packageSearchAtom,
  packageSortAtom,
  selectedPackageAtom,
} from './package-ui.ts';
import { forgetPayments, paymentAtom } from './payment.ts';
import { safeLocalStorage } from './safe-storage.ts';
import {
  everybody,
  noUserDrafts,
  unansweredCallsAtom,
  userDraftsAtom,
  userFilterAtom,
} from './users.ts';

/** The user whose drafts are on this device. */
const draftOwnerKey = 'typist';

/** Read again whenever its form opens. */
export const profileDraftKey = 'profileDraft';

/** Null: there are none. */
export const readDraftOwner = (): string | null => safeLocalStorage.getItem(draftOwnerKey);

export const forgetTypedAtom = atom(null, (_, set) => {
  safeLocalStorage.removeItem(draftOwnerKey);
  safeLocalStorage.removeItem(profileDraftKey);
  forgetPayments();
  set(paymentAtom, { kind: 'reset' });
  set(packageDraftAtom, emptyDraft);
  set(againDraftAtom, emptyDraft);
  set(editDraftsAtom, {});
  set(deliveryDraftsAtom, {});
  set(packageSearchAtom, '');
  set(packageSortAtom, '');
  set(lastTabsAtom, {});
  set(packageFiltersAtom, noFilters);
  set(selectedPackageAtom, '');
  set(userFilterAtom, everybody);
  set(userDraftsAtom, noUserDrafts);
  set(unansweredCallsAtom, new Map());
});

/** Sets the draft owner; another user's drafts are deleted. */
export const draftOwnerAtom = atom(null, (_, set, userId: string) => {
  if (readDraftOwner() !== userId) set(forgetTypedAtom);
  safeLocalStorage.setItem(draftOwnerKey, userId);
});
