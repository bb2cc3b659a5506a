/** What is typed belongs to whoever typed it: it ends with the mirror's wipe (app/session.ts). */
import { atom } from 'jotai';
import { editDraftsAtom } from './edit-draft.ts';
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
