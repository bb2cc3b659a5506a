/** Unsaved package edits. They survive closing the app; wiping the mirror deletes them. */
import {
  atomWithStorage,
  createJSONStorage,
  unstable_withStorageValidator as withStorageValidator,
} from 'jotai/utils';
import type { PaymentStatus } from '#contract/package.ts';
import type { PackageView } from '#domain/overlay.ts';
import type { PackageForm } from '#domain/package-form.ts';
import type { DeliveryStatus } from '#domain/status.ts';
import { hasOnlyTexts, hasTexts, localWords } from './local-words.ts';
import { emptyPackageForm } from './package-draft.ts';

export interface EditFormState {
  form: PackageForm;
  status: DeliveryStatus;
  paymentStatus: PaymentStatus;
}

export interface EditDraft {
  /** The values the form started with: only differences are sent. */
  before: PackageView;
  state: EditFormState;
}

/** `subjectId`: of the package, or of the refused edit being corrected. */
export function editDraftKey(userId: string, subjectId: string): string {
  return `${userId}/${subjectId}`;
}

/** Oldest drafts are dropped first. */
const mostDrafts = 10;

export type EditDrafts = Readonly<Record<string, EditDraft>>;

export function withEditDraft(drafts: EditDrafts, key: string, draft: EditDraft): EditDrafts {
  const others = Object.entries(drafts).filter(([each]) => each !== key);
  return Object.fromEntries([...others, [key, draft] as const].slice(-mostDrafts));
}

export function withoutEditDraft(drafts: EditDrafts, key: string): EditDrafts {
  const { [key]: _, ...others } = drafts;
  return others;
}

/** Storage may hold anything, for example drafts of another app version. */
function areDrafts(kept: unknown): kept is EditDrafts {
  if (typeof kept !== 'object' || kept === null) return false;
  return Object.values(kept as Partial<EditDrafts>).every(
    (draft) =>
      typeof draft?.before === 'object' &&
      draft.before !== null &&
      hasTexts(draft.state, ['status', 'paymentStatus']) &&
      hasOnlyTexts(draft.state.form, Object.keys(emptyPackageForm)),
  );
}

export const editDraftsAtom = atomWithStorage<EditDrafts>(
  'editDrafts',
  {},
  withStorageValidator(areDrafts)(createJSONStorage(() => localWords)),
  { getOnInit: true },
);
