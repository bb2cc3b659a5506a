import { useAtom } from 'jotai';
import { useState } from 'react';
import type { PackageView } from '#domain/overlay.ts';
import { withChanges } from '#domain/package.ts';
import type { OperationOf } from '#live/use-refused.ts';
import {
  type EditFormState,
  editDraftsAtom,
  withEditDraft,
  withoutEditDraft,
} from '#state/edit-draft.ts';
import { formOf } from './edit-rules.ts';

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
 * The form as typed so far, kept under `key` for as long as it differs from how it began. Whatever
 * is pulled meanwhile: what the form began with stays what its changes are counted from.
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
