/**
 * Typed or chosen on this device, and gone with its user (app/session/session.ts). Each state file
 * declares its own atoms, and takes its keys in local storage from this list: forgetting needs none
 * of these files, most of which no first screen loads.
 */
import { atom, type Setter, type WritableAtom } from 'jotai';
import { safeLocalStorage } from './safe-storage.ts';

export const typedKeys = {
  packageDraft: 'packageDraft',
  againDraft: 'againDraft',
  editDrafts: 'editDrafts',
  deliveryDrafts: 'deliveryDrafts',
  /** Read again whenever its form opens. */
  profileDraft: 'profileDraft',
  packageSort: 'packageSort',
  lastTabs: 'lastTabs',
  /** Specified name; do not rename. */
  pendingReference: 'pendingReference',
  pendingDetails: 'pendingPayment',
  /** The last successful reference: revisiting it must not look like a second deposit. */
  settledReference: 'settledReference',
  paymentDue: 'paymentDue',
} as const;

/** The user whose drafts are on this device. */
const draftOwnerKey = 'typist';

const resets: ((set: Setter) => void)[] = [];

/** `args`: what `forgotten` is set to when its user's work on this device is forgotten. */
export function forgettable<Args extends unknown[], A extends WritableAtom<unknown, Args, unknown>>(
  forgotten: A & WritableAtom<unknown, Args, unknown>,
  ...args: NoInfer<Args>
): A {
  resets.push((set) => set(forgotten, ...args));
  return forgotten;
}

/** Null: there are none. */
export const readDraftOwner = (): string | null => safeLocalStorage.getItem(draftOwnerKey);

export const forgetTypedAtom = atom(null, (_, set) => {
  for (const reset of resets) reset(set);
  for (const key of [draftOwnerKey, ...Object.values(typedKeys)]) safeLocalStorage.removeItem(key);
});

/** Sets the draft owner; another user's drafts are deleted. */
export const draftOwnerAtom = atom(null, (_, set, userId: string) => {
  if (readDraftOwner() !== userId) set(forgetTypedAtom);
  safeLocalStorage.setItem(draftOwnerKey, userId);
});
