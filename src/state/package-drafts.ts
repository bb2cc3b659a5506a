/**
 * Packages as typed so far: the new one of the wizard, and those being edited, per user and package.
 * They outlive a lowered sheet, a reload, an update and the app being closed, and end with being
 * saved, discarded, or with the mirror's wipe (app/session/session.ts): addresses and phone numbers of
 * others do not stay on a shared phone.
 */
import type { PaymentStatus } from '#contract/package.ts';
import type { PackageView } from '#domain/overlay.ts';
import { emptyPackageForm, type PackageForm } from '#domain/package-fields.ts';
import type { DeliveryStatus } from '#domain/status.ts';
import { forgettable, typedKeys } from './forgettable.ts';
import { hasTexts, isLike, storedAtom } from './safe-storage.ts';

export interface PackageDraft {
  /** Owner's user id; other users' drafts are not shown. Empty: no owner. */
  userId: string;
  /** The id that the package gets; '' until something is typed. */
  packageId: string;
  /** 0 to 3. */
  step: number;
  form: PackageForm;
  /** The package that is sent again with it. */
  earlierId?: string;
}

export const emptyDraft: PackageDraft = {
  userId: '',
  packageId: '',
  step: 0,
  form: emptyPackageForm,
};

function isDraft(stored: unknown): stored is PackageDraft {
  const { userId, packageId, step, form } = (stored ?? {}) as Partial<PackageDraft>;
  const isNamed = typeof userId === 'string' && typeof packageId === 'string';
  const isStep = step !== undefined && [0, 1, 2, 3].includes(step);
  return isNamed && isStep && isLike(form, emptyPackageForm);
}

export const packageDraftAtom = forgettable(
  storedAtom(typedKeys.packageDraft, emptyDraft, isDraft),
  emptyDraft,
);

/** Draft of 'Send again': separate, so that the next new package does not start with it. */
export const againDraftAtom = forgettable(
  storedAtom(typedKeys.againDraft, emptyDraft, isDraft),
  emptyDraft,
);

export interface EditFormState {
  form: PackageForm;
  status: DeliveryStatus;
  paymentStatus: PaymentStatus;
}

export interface EditDraft {
  /** The form's initial values: only differences are sent. */
  before: PackageView;
  state: EditFormState;
}

/** `subjectId`: the package's, or that of the refused edit that is corrected. */
export function editDraftKey(userId: string, subjectId: string): string {
  return `${userId}/${subjectId}`;
}

/** The most drafts kept; the oldest is dropped first. */
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

function areDrafts(stored: unknown): stored is EditDrafts {
  if (typeof stored !== 'object' || stored === null) return false;
  return Object.values(stored as Partial<EditDrafts>).every(
    (draft) =>
      typeof draft?.before === 'object' &&
      draft.before !== null &&
      hasTexts(draft.state, ['status', 'paymentStatus']) &&
      isLike(draft.state.form, emptyPackageForm),
  );
}

export const editDraftsAtom = forgettable(storedAtom(typedKeys.editDrafts, {}, areDrafts), {});
