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

/** The form as it begins: the package, with the changes of a refused edit laid over it. */
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

/**
 * The form as typed so far, kept under `key` while it differs from how it began. Changes are counted
 * from what the form began with, whatever is pulled later.
 */
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
    // As an older version may have kept it, with fewer fields.
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
