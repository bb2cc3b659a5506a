/**
 * The wizard as typed so far. It outlives the sheet being lowered, a reload and the app being closed,
 * and ends with the mirror's wipe (app/session.ts): addresses and phone numbers of others do not stay
 * on a shared phone.
 */
import { atomWithStorage, createJSONStorage } from 'jotai/utils';
import type { PackageForm } from '#domain/validation.ts';
import { localWords } from './local-words.ts';

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

export const packageDraftAtom = atomWithStorage<PackageDraft>(
  'packageDraft',
  emptyDraft,
  createJSONStorage(() => localWords),
  { getOnInit: true },
);
