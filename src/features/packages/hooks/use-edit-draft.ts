import { useAtom } from 'jotai';
import { useState } from 'react';
import type { OperationOf } from '#domain/operation.ts';
import type { PackageView } from '#domain/overlay.ts';
import { withChanges } from '#domain/package.ts';
import { formOf } from '#features/packages/edit-rules.ts';
import {
  type EditFormState,
  editDraftsAtom,
  withEditDraft,
  withoutEditDraft,
} from '#state/package-drafts.ts';

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
    // An older app version may have stored fewer fields.
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
