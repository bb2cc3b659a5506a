/** Deletes drafts and pending payments when the mirror is wiped (app/session/session.ts). */
import { atom } from 'jotai';
import { deliveryDraftsAtom, deliveryDraftsKey, noDelivery } from './delivery-drafts.ts';
import {
  againDraftAtom,
  againDraftKey,
  editDraftsAtom,
  editDraftsKey,
  emptyDraft,
  packageDraftAtom,
  packageDraftKey,
} from './package-drafts.ts';
import {
  createdPackageAtom,
  lastTabsAtom,
  noFilters,
  packageFiltersAtom,
  packageSearchAtom,
  packageSortAtom,
  selectedPackageAtom,
} from './package-ui.ts';
import { forgetPayments, paymentAtom } from './payment.ts';
import { readStored, safeLocalStorage } from './safe-storage.ts';
import { unansweredCallsAtom } from './unanswered-calls.ts';
import { everybody, noUserDrafts, userDraftsAtom, userFilterAtom } from './users.ts';

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
  set(createdPackageAtom, '');
  set(userFilterAtom, everybody);
  set(userDraftsAtom, noUserDrafts);
  set(unansweredCallsAtom, new Map());
});

type Kept = Readonly<Record<string, unknown>>;

const recordOf = (kept: unknown) => (typeof kept === 'object' ? (kept ?? {}) : {}) as Kept;

/** Ignores which sheet is open, and a form's initial values. */
const isTyped = (form: unknown, initial: Kept = {}) =>
  Object.entries(recordOf(form)).some(
    ([name, value]) => name !== 'isOpen' && value !== (name in initial ? initial[name] : ''),
  );

/**
 * Counts the unsent forms in storage, thus of all tabs. Drafts about other users are in their tab's
 * memory only.
 */
export const countFormsAtom = atom(null, (get): number => {
  const { added, others } = get(userDraftsAtom);
  const sheets = Object.values(recordOf(readStored(deliveryDraftsKey)));
  const forms = [
    ...[packageDraftKey, againDraftKey].map((key) => recordOf(readStored(key)).packageId),
    ...Object.values(recordOf(readStored(editDraftsKey))),
    ...sheets.map((sheet) => isTyped(sheet, noDelivery)),
    readStored(profileDraftKey),
    ...Object.values(others),
    isTyped(added),
  ];
  return forms.filter(Boolean).length;
});

/** Sets the draft owner; another user's drafts are deleted. */
export const draftOwnerAtom = atom(null, (_, set, userId: string) => {
  if (readDraftOwner() !== userId) set(forgetTypedAtom);
  safeLocalStorage.setItem(draftOwnerKey, userId);
});
