/** The wizard's form: a new package's draft, or a refused creation being corrected. */

import { useAtom } from 'jotai';
import { useState } from 'react';
import { newId } from '#data/new-id.ts';
import { usePackageView } from '#data/use-packages.ts';
import type { OperationOf } from '#domain/operation.ts';
import type { PackageView } from '#domain/overlay.ts';
import { emptyPackageForm, type PackageForm } from '#domain/package-fields.ts';
import { wizardSteps } from '#domain/package-form.ts';
import { againDraft } from '#features/package-form/again.ts';
import { formOfBody } from '#features/package-form/edit-rules.ts';
import { againDraftAtom, emptyDraft, packageDraftAtom } from '#state/package-drafts.ts';

export interface Draft {
  /** The package's id, stored before it is used and the same for every submit. */
  claimId(): string;
  step: number;
  form: PackageForm;
  setForm(form: PackageForm): void;
  setStep(step: number): void;
  /** Drops the draft of this package, which is saved. */
  clear(packageId: string): void;
}

export interface NewDraft extends Draft {
  fill(form: PackageForm, step: number): void;
}

/**
 * The draft of a new package, or of one like `earlier`, which opens at the last step.
 * Another user's draft counts as empty, and so does one whose package exists: if the app was killed
 * before clearing it, submitting again would create a second package.
 */
export function useDraft(userId: string, earlier?: PackageView): NewDraft {
  const [stored, setStored] = useAtom(earlier ? againDraftAtom : packageDraftAtom);
  const [begun] = useState(() =>
    earlier ? { ...emptyDraft, ...againDraft(earlier) } : emptyDraft,
  );
  const [askedId, setAskedId] = useState('');
  const saved = usePackageView(stored.packageId ?? '');
  const isSpent = Boolean(saved) && stored.packageId !== askedId;
  const isOurs = stored.userId === userId && stored.earlierId === begun.earlierId;
  const draft = isOurs && !isSpent ? stored : { ...begun, userId };
  return {
    claimId: () => {
      const packageId = draft.packageId || newId();
      setAskedId(packageId);
      setStored({ ...draft, packageId });
      return packageId;
    },
    step: Math.min(Math.max(draft.step, 0), wizardSteps.length - 1),
    form: { ...emptyPackageForm, ...draft.form },
    // The id exists from the first keystroke, so that two tabs with one draft create one package.
    setForm: (form) => setStored({ ...draft, packageId: draft.packageId || newId(), form }),
    fill: (form, step) =>
      setStored({ ...draft, packageId: draft.packageId || newId(), form, step }),
    setStep: (step) => setStored({ ...draft, step }),
    // The next draft may exist by then.
    clear: (packageId) => setStored((now) => (now.packageId === packageId ? emptyDraft : now)),
  };
}

/** The parameters of the manifest's share_target. */
export const sharedParams = ['title', 'text', 'url'] as const;

/** Refusals meaning that the server already knows this id or key with other content. */
const takenCodes: ReadonlySet<string> = new Set(['id_taken', 'key_reused']);

export function stepOf(fields: Readonly<Record<string, unknown>>, otherwise = 0): number {
  const at = wizardSteps.findIndex((step) =>
    step.fields.some((name) => Object.hasOwn(fields, name)),
  );
  return at < 0 ? otherwise : at;
}

/** Fields that a refusal is about, if the form can correct them. */
function fieldsOf({ lastError }: OperationOf<'createPackage'>): Readonly<Record<string, unknown>> {
  return lastError?.code === 'insufficient_funds'
    ? { priceOffer: true }
    : (lastError?.fields ?? {});
}

/** Null without one. Keeps the package id. Opens at the first step with an error, else at `openStep`. */
export function useRefusedDraft(
  refused: OperationOf<'createPackage'> | null,
  openStep: number,
): Draft | null {
  const [form, setForm] = useState(() => (refused ? formOfBody(refused.args) : emptyPackageForm));
  const [step, setStep] = useState(() => (refused ? stepOf(fieldsOf(refused), openStep) : 0));
  const [freshId] = useState(newId);
  if (!refused) return null;
  const isTaken = takenCodes.has(refused.lastError?.code ?? '');
  return {
    form,
    setForm,
    step,
    setStep,
    claimId: () => (isTaken ? freshId : refused.targetId),
    clear: () => undefined,
  };
}
