/** Deletes drafts and pending payments when the mirror is wiped (app/session/session.ts). */
import { atom } from 'jotai';
import { editDraftsAtom } from './edit-draft.ts';
import { localWords } from './local-words.ts';
import { emptyDraft, packageDraftAtom } from './package-draft.ts';
import {
  noFilters,
  packageFiltersAtom,
  packageSearchAtom,
  packageSortAtom,
  selectedPackageAtom,
} from './package-ui.ts';
import { forgetPayments, paymentAtom } from './payment.ts';
import { unansweredCallsAtom } from './unanswered-calls.ts';
import { noUserDrafts, userDraftsAtom } from './user-draft.ts';
import { everybody, userFilterAtom } from './user-filter.ts';

/** The user whose drafts are on this device. */
const typistKey = 'typist';

export const readTypist = (): string | null => localWords.getItem(typistKey);

export const forgetTypedAtom = atom(null, (_, set) => {
  localWords.removeItem(typistKey);
  forgetPayments();
  set(paymentAtom, { kind: 'reset' });
  set(packageDraftAtom, emptyDraft);
  set(editDraftsAtom, {});
  set(packageSearchAtom, '');
  set(packageSortAtom, '');
  set(packageFiltersAtom, noFilters);
  set(selectedPackageAtom, '');
  set(userFilterAtom, everybody);
  set(userDraftsAtom, noUserDrafts);
  set(unansweredCallsAtom, new Map());
});

/** Sets the draft owner; another user's drafts are deleted. */
export const typistAtom = atom(null, (_, set, userId: string) => {
  if (readTypist() !== userId) set(forgetTypedAtom);
  localWords.setItem(typistKey, userId);
});
