import { useState } from 'react';
import { ApiFailure } from '#api/failure.ts';
import type { PatchPackageBody } from '#contract/package.ts';
import type { Intent } from '#domain/operation.ts';
import type { PackageView } from '#domain/overlay.ts';
import { checkPackageEdit } from '#domain/package-form.ts';
import { pickupComplaint } from '#domain/pickup-date.ts';
import { statusLabel } from '#domain/status.ts';
import type { FieldMessages } from '#domain/validation.ts';
import { newId } from '#live/new-id.ts';
import { useSignedIn } from '#live/services.ts';
import type { EditFormState } from '#state/edit-draft.ts';
import { showError, showInfo, showSuccess } from '#ui/toast.tsx';
import { formOf, statusStep } from './edit-rules.ts';
import { subjectOf, useSaying } from './use-package-actions.ts';
import { words } from './words.ts';

export type SaveResult =
  | { kind: 'saved' }
  | { kind: 'notSaved' }
  | { kind: 'invalid'; message: string; fields: FieldMessages };

/** The sentence for a patch that was not queued and did not go through. */
function patchFailure(error: unknown): string {
  if (!(error instanceof ApiFailure)) return words.edit.failure;
  const { kind, message } = error.failure;
  return kind === 'http' ? message || words.edit.failure : words.needsNetwork;
}

/** Sends what the edit form changed of `before`, in the place of a refused edit if one is named. */
export function useSavePackage(before: PackageView, replaces: string | null) {
  const [isBusy, setIsBusy] = useState(false);
  const { api, engine } = useSignedIn();
  const say = useSaying();
  const target = { targetId: before.id, subject: subjectOf(before) };

  const patchNow = async (body: PatchPackageBody): Promise<boolean> => {
    try {
      await api.patchPackage(before.id, body, newId());
      engine.request('pull');
      showSuccess(words.edit.success);
      return true;
    } catch (error) {
      showError(patchFailure(error));
      return false;
    }
  };

  const work = async (state: EditFormState): Promise<SaveResult> => {
    const began = formOf(before);
    const checked = checkPackageEdit(began, state.form);
    if (!checked.isValid) {
      return { kind: 'invalid', message: checked.message, fields: checked.fields };
    }
    // A date that stands as it was is nobody's mistake of today.
    if (state.form.pickupDate !== began.pickupDate) {
      const fields = pickupComplaint(state.form.pickupDate, Date.now());
      if (fields.pickupDate) return { kind: 'invalid', message: fields.pickupDate, fields };
    }
    const intents: Intent[] = [];
    const patch: PatchPackageBody = {};
    if (Object.keys(checked.value).length > 0) {
      const args = { changes: checked.value, baseVersion: before.version };
      intents.push({ ...target, name: 'editPackage', args });
    }
    const step = statusStep(before.status, state.status);
    if (step === 'patch') patch.deliveryStatus = statusLabel(state.status);
    else if (step) intents.push({ ...target, name: step, args: {} });
    if (state.paymentStatus !== before.paymentStatus) {
      patch.paymentStatus = state.paymentStatus;
      // Paid is what was seen here.
      patch.baseVersion = before.version;
    }

    const hasPatch = Object.keys(patch).length > 0;
    if (intents.length === 0 && !hasPatch) {
      showInfo(words.edit.nothing);
      return { kind: 'saved' };
    }
    // What needs the network goes first: if it fails, the form stays and nothing was half saved.
    if (hasPatch && !(await patchNow(patch))) return { kind: 'notSaved' };
    for (const intent of intents) {
      const replaced = intent.name === 'editPackage' ? replaces : null;
      if (!(await say(intent, replaced))) return { kind: 'notSaved' };
    }
    return { kind: 'saved' };
  };

  const save = async (state: EditFormState): Promise<SaveResult> => {
    setIsBusy(true);
    try {
      return await work(state);
    } finally {
      setIsBusy(false);
    }
  };
  return { save, isBusy };
}
