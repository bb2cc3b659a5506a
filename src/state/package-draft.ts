/**
 * The wizard as typed so far. It outlives the sheet being lowered, a reload and the app being closed,
 * and ends with the mirror's wipe (app/session/session.ts): addresses and phone numbers of others do not stay
 * on a shared phone.
 */
import {
  atomWithStorage,
  createJSONStorage,
  unstable_withStorageValidator as withStorageValidator,
} from 'jotai/utils';
import type { PackageForm } from '#domain/package-form.ts';
import { hasOnlyTexts, localWords } from './local-words.ts';

export interface PackageDraft {
  /** Whose; another user's is not shown. Empty: nobody's. */
  userId: string;
  /** The id that the package gets; '' until something is typed. */
  packageId: string;
  /** 0 to 3. */
  step: number;
  form: PackageForm;
}

export const emptyPackageForm: PackageForm = {
  pickupAddress: '',
  deliveryAddress: '',
  pickupLocation: '',
  deliveryLocation: '',
  recipientName: '',
  recipientPhone: '',
  recipientEmail: '',
  description: '',
  pickupDate: '',
  deliveryDate: '',
  priceOffer: '',
  paymentMethod: '',
  notes: '',
};

export const emptyDraft: PackageDraft = {
  userId: '',
  packageId: '',
  step: 0,
  form: emptyPackageForm,
};

/** What another version of the app has left, or anybody else. */
function isDraft(kept: unknown): kept is PackageDraft {
  const { userId, packageId, step, form } = (kept ?? {}) as Partial<PackageDraft>;
  const isNamed = typeof userId === 'string' && typeof packageId === 'string';
  const isStep = step !== undefined && [0, 1, 2, 3].includes(step);
  return isNamed && isStep && hasOnlyTexts(form, Object.keys(emptyPackageForm));
}

export const packageDraftAtom = atomWithStorage<PackageDraft>(
  'packageDraft',
  emptyDraft,
  withStorageValidator(isDraft)(createJSONStorage(() => localWords)),
  { getOnInit: true },
);
