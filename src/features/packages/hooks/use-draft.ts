/** What the wizard works on: a new package as typed so far, or a refused creation to be corrected. */

import { useAtom } from 'jotai';
import { useState } from 'react';
import { newId } from '#data/new-id.ts';
import { usePackageView } from '#data/use-packages.ts';
import type { OperationOf } from '#domain/operation.ts';
import { type PackageForm, wizardSteps } from '#domain/package-form.ts';
import { formOfBody } from '#features/packages/edit-rules.ts';
import { emptyDraft, emptyPackageForm, packageDraftAtom } from '#state/package-drafts.ts';

export interface Draft {
  /** The package's id, the same for every press; in storage before it is used. */
  claimId(): string;
  /** 0 to 3. */
  step: number;
  form: PackageForm;
  setForm(form: PackageForm): void;
  setStep(step: number): void;
  /** The package of this id is saved. */
  clear(packageId: string): void;
}

export interface NewDraft extends Draft {
  /** Sets the form and the step to continue at. */
  fill(form: PackageForm, step: number): void;
}

/**
 * The draft of the signed-in user; another user's reads as empty. So does one whose package exists
 * already: the app was killed after the save and before the draft's end, and a second press would
 * create a second package.
 */
export function useDraft(userId: string): NewDraft {
  const [stored, setStored] = useAtom(packageDraftAtom);
  const [askedId, setAskedId] = useState('');
  const saved = usePackageView(stored.packageId ?? '');
  const isSpent = Boolean(saved) && stored.packageId !== askedId;
  const draft = stored.userId === userId && !isSpent ? stored : { ...emptyDraft, userId };
  return {
    claimId: () => {
      const packageId = draft.packageId || newId();
      setAskedId(packageId);
      setStored({ ...draft, packageId });
      return packageId;
    },
    step: Math.min(Math.max(draft.step, 0), wizardSteps.length - 1),
    form: { ...emptyPackageForm, ...draft.form },
    // With its id from the first letter on, so that two tabs with one draft make one package.
    setForm: (form) => setStored({ ...draft, packageId: draft.packageId || newId(), form }),
    fill: (form, step) =>
      setStored({ ...draft, packageId: draft.packageId || newId(), form, step }),
    setStep: (step) => setStored({ ...draft, step }),
    // The next one may have been begun by then.
    clear: (packageId) => setStored((now) => (now.packageId === packageId ? emptyDraft : now)),
  };
}

/** What the manifest's share_target calls its parts. */
export const sharedParams = ['title', 'text', 'url'] as const;

/** Refusals that say that the server has something under this id, or had it asked for otherwise. */
const takenCodes: ReadonlySet<string> = new Set(['id_taken', 'key_reused']);

/** The first step that has one of these fields; `otherwise` where none has. */
export function stepOf(fields: Readonly<Record<string, unknown>>, otherwise = 0): number {
  const at = wizardSteps.findIndex((step) =>
    step.fields.some((name) => Object.hasOwn(fields, name)),
  );
  return at < 0 ? otherwise : at;
}

/** What a refusal is about, as far as the form can correct it. */
function fieldsOf({ lastError }: OperationOf<'createPackage'>): Readonly<Record<string, unknown>> {
  return lastError?.code === 'insufficient_funds'
    ? { priceOffer: true }
    : (lastError?.fields ?? {});
}

/**
 * A refused creation, beginning where something is wrong with it, else at `openStep`. It keeps the
 * package's id.
 */
export function useRefusedDraft(refused: OperationOf<'createPackage'>, openStep: number): Draft {
  const [form, setForm] = useState(() => formOfBody(refused.args));
  const [step, setStep] = useState(() => stepOf(fieldsOf(refused), openStep));
  const [freshId] = useState(newId);
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
