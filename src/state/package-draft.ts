/**
 * The wizard's draft. Survives closing the app; wiping the mirror deletes it, because a shared
 * phone must not keep others' addresses and phone numbers.
 */
import {
  atomWithStorage,
  createJSONStorage,
  unstable_withStorageValidator as withStorageValidator,
} from 'jotai/utils';
import type { PackageForm } from '#domain/package-form.ts';
import { hasOnlyTexts, localWords } from './local-words.ts';

export interface PackageDraft {
  /** The owner, the only user it is shown to; '' for none. */
  userId: string;
  /** The id the package will get; '' until something is typed. */
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

/** Storage may hold anything, for example a draft of another app version. */
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
