import '#contract/phone-countries.ts';
import { useAtom } from 'jotai';
import { useState } from 'react';
import type { PatchPackageBody } from '#contract/package.ts';
import { noVersion } from '#contract/version.ts';
import { sendingSubject, useSubmitIntent } from '#data/submit-intent.ts';
import { useActor } from '#data/use-actor.ts';
import { serverNow } from '#data/use-now.ts';
import { useServerCall } from '#data/use-server-call.ts';
import type { Intent, OperationOf } from '#domain/operation.ts';
import { sentenceOfFailure } from '#domain/outcome.ts';
import type { PackageView } from '#domain/overlay.ts';
import { withChanges } from '#domain/package.ts';
import { checkPackageEdit, pickupComplaint } from '#domain/package-form.ts';
import { statusLabel } from '#domain/status.ts';
import { formOf, statusStep } from '#features/package-form/edit-rules.ts';
import { packages as words } from '#messages/en/packages.ts';
import { subjectOf } from '#package-ui/use-package-actions.ts';
import {
  type EditFormState,
  editDraftsAtom,
  withEditDraft,
  withoutEditDraft,
} from '#state/package-drafts.ts';
import * as toasts from '#ui/toast.tsx';
import type { Complaint } from '#ui/use-form.ts';

const notSaved: Complaint = { message: words.edit.failure };

/** Replaces a refused edit, if named. Resolves to the form's errors, or null once saved. */
export function useSavePackage(before: PackageView, replaces: string | null) {
  const { call } = useServerCall();
  const { role } = useActor();
  const submitIntent = useSubmitIntent(toasts);
  const target = { targetId: before.id, subject: subjectOf(before) };

  const patchNow = async (body: PatchPackageBody): Promise<boolean> => {
    const called = await call(before.id, body, (api, key) =>
      api.patchPackage(before.id, body, key),
    );
    if (called.kind === 'failed') {
      const { needsNetwork, edit } = words;
      toasts.showError(
        sentenceOfFailure(called.failure, { needsNetwork, otherwise: edit.failure }),
      );
      return false;
    }
    // Shares its toast with the queued part, whose message is the same.
    toasts.showSuccess(words.edit.success, { subject: sendingSubject });
    return true;
  };

  return async (state: EditFormState): Promise<Complaint | null> => {
    const began = formOf(before);
    const checked = checkPackageEdit(began, state.form);
    if (!checked.isValid) return checked;
    // An unchanged date may be in the past.
    if (state.form.pickupDate !== began.pickupDate) {
      const fields = pickupComplaint(state.form.pickupDate, serverNow());
      if (fields.pickupDate) return { fields, message: fields.pickupDate };
    }
    const intents: Intent[] = [];
    const patch: PatchPackageBody = {};
    if (Object.keys(checked.value).length > 0) {
      const args = { changes: checked.value, baseVersion: before.version };
      intents.push({ ...target, name: 'editPackage', args });
    }
    const isPaymentChanged = state.paymentStatus !== before.paymentStatus;
    const step = statusStep(before.status, state.status, { role, isPaymentChanged });
    if (step === 'patch') patch.deliveryStatus = statusLabel(state.status);
    else if (step) intents.push({ ...target, name: step, args: {} });
    if (isPaymentChanged) {
      patch.paymentStatus = state.paymentStatus;
      // Pays only the version shown here.
      if (before.version !== noVersion) patch.baseVersion = before.version;
    }

    const hasPatch = Object.keys(patch).length > 0;
    if (intents.length === 0 && !hasPatch) {
      toasts.showInfo(words.edit.nothing);
      return null;
    }
    // The direct patch first: if it fails, nothing is saved.
    if (hasPatch && !(await patchNow(patch))) return notSaved;
    for (const intent of intents) {
      const replaced = intent.name === 'editPackage' ? replaces : null;
      if (!(await submitIntent(intent, replaced))) return notSaved;
    }
    return null;
  };
}

export function beginning(
  view: PackageView,
  refused: OperationOf<'editPackage'> | null,
): EditFormState {
  return {
    form: formOf(refused ? withChanges(view, refused.args.changes) : view),
    status: view.status,
    paymentStatus: view.paymentStatus,
  };
}

const isSame = (a: EditFormState, b: EditFormState) => JSON.stringify(a) === JSON.stringify(b);

/** Stored under `key` while it differs from its initial values, which later pulls do not change. */
export function useEditDraft(
  key: string,
  view: PackageView,
  refused: OperationOf<'editPackage'> | null,
) {
  const [drafts, setDrafts] = useAtom(editDraftsAtom);
  const [{ found, before }] = useState(() => ({
    found: drafts[key] ?? null,
    before: drafts[key]?.before ?? view,
  }));
  const [pristine] = useState(() => beginning(before, refused));
  const [state, setOwn] = useState(() => {
    // A former version of the app may have stored fewer fields.
    const form = { ...pristine.form, ...found?.state.form };
    return { ...pristine, ...found?.state, form };
  });
  return {
    before,
    state,
    isRestored: found !== null && drafts[key] !== undefined,
    setState: (next: EditFormState) => {
      setOwn(next);
      setDrafts((all) =>
        isSame(next, pristine)
          ? withoutEditDraft(all, key)
          : withEditDraft(all, key, { before, state: next }),
      );
    },
    clear: () => setDrafts((all) => withoutEditDraft(all, key)),
  };
}
