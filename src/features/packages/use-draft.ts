/** What the wizard works on: a new package as typed so far, or a refused creation to be mended. */
import { useAtom } from 'jotai';
import { useState } from 'react';
import { type PackageForm, wizardSteps } from '#domain/package-form.ts';
import { newId } from '#live/new-id.ts';
import { usePackageView } from '#live/use-packages.ts';
import type { OperationOf } from '#live/use-refused.ts';
import { emptyDraft, emptyPackageForm, packageDraftAtom } from '#state/package-draft.ts';
import { formOfBody } from './edit-rules.ts';

export interface Draft {
  /** The package's id, the same for every press; in storage before it is used. */
  claimId(): string;
  /** 0 to 3. */
  step: number;
  form: PackageForm;
  setForm(form: PackageForm): void;
  setStep(step: number): void;
  /** It is saved. */
  clear(): void;
}

export interface NewDraft extends Draft {
  /** Both at once; `step` is where it goes on. */
  fill(form: PackageForm, step: number): void;
}

/**
 * The draft of whoever is signed in; somebody else's reads as empty. So does one whose package is
 * there already: the app was killed after the save and before the draft's end, and a second press
 * would be a second package (DESIGN.md section 5, guarantee 2).
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
    clear: () => setStored(emptyDraft),
  };
}

/** Refusals that say that the server has something under this id, or had it asked for otherwise. */
const takenCodes: ReadonlySet<string> = new Set(['id_taken', 'key_reused']);

/** The first step that has one of these fields; 0: none has. */
export function stepOf(fields: Readonly<Record<string, unknown>>): number {
  const at = wizardSteps.findIndex((step) =>
    step.fields.some((name) => Object.hasOwn(fields, name)),
  );
  return Math.max(at, 0);
}

/** What a refusal is about, as far as the form can mend it. */
function fieldsOf({ lastError }: OperationOf<'createPackage'>): Readonly<Record<string, unknown>> {
  return lastError?.code === 'insufficient_funds'
    ? { priceOffer: true }
    : (lastError?.fields ?? {});
}

/** A refused creation, beginning where something is wrong with it. It keeps the package's id. */
export function useRefusedDraft(refused: OperationOf<'createPackage'>): Draft {
  const [form, setForm] = useState(() => formOfBody(refused.args));
  const [step, setStep] = useState(() => stepOf(fieldsOf(refused)));
  const [freshId] = useState(newId);
  const isTaken = takenCodes.has(refused.lastError?.code ?? '');
  return {
    ...{ form, setForm, step, setStep },
    claimId: () => (isTaken ? freshId : refused.targetId),
    clear: () => undefined,
  };
}
