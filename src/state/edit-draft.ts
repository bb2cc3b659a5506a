/**
 * Packages that are being edited, as typed so far, per user and package. What is here differs from
 * what the package was when its editing began; it outlives a reload, an update and the app being
 * closed, and ends with being saved, discarded, or with the mirror's wipe (app/session/session.ts).
 */
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
  /** What the form began with: only what differs from it is sent. */
  before: PackageView;
  state: EditFormState;
}

/** `subjectId`: the package's, or that of the refused edit that is mended. */
export function editDraftKey(userId: string, subjectId: string): string {
  return `${userId}/${subjectId}`;
}

/** More than this nobody leaves lying about; the oldest goes first. */
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

/** What another version of the app has left, or anybody else. */
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
