/** What is typed belongs to whoever typed it: it ends with the mirror's wipe (app/session.ts). */
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
import { unansweredCallsAtom } from './unanswered-calls.ts';
import { noUserDrafts, userDraftsAtom } from './user-draft.ts';
import { everybody, userFilterAtom } from './user-filter.ts';

export const forgetTypedAtom = atom(null, (_, set) => {
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

/** Whose drafts are on this device. */
const typistKey = 'typist';

/** From now on this user types here: what another one has typed goes. */
export const typistAtom = atom(null, (_, set, userId: string) => {
  if (localWords.getItem(typistKey) !== userId) set(forgetTypedAtom);
  localWords.setItem(typistKey, userId);
});
