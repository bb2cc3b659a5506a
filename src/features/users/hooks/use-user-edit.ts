/**
 * An admin's edit of another user: what differs from what the form began with is sent on the version
 * that it began with, so that two admins never undo each other's work without knowing.
 *
 *   typed ──submit──▶ done: the form starts over with the server's answer
 *            ├──────▶ refused: the complaint of the form
 *            └──────▶ conflict: field by field mine or theirs ──▶ sent on the version in sight
 */
import { useState } from 'react';
import {
  type ContestedField,
  checkUserEdit,
  contestedFields,
  type UserChanges,
  type UserField,
  type UserForm,
  userFormOf,
  withoutTheirs,
} from '#domain/administration.ts';
import type { User } from '#domain/user.ts';
import { users as words } from '#messages/en/users.ts';
import { showInfo, showSuccess } from '#ui/toast.tsx';
import { type Complaint, useForm } from '#ui/use-form.ts';
import { complaintOf, useCall } from './use-call.ts';

export interface Conflict {
  changes: UserChanges;
  contested: ContestedField[];
  current: User;
}

interface Draft {
  base: User;
  form: UserForm;
}

/** `draft`: what the form begins with. */
export function useUserEdit(draft: Draft) {
  const [base, setBase] = useState(draft.base);
  const [values, setValues] = useState(draft.form);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const call = useCall();

  /** Starts over with the server's row. */
  const restart = (user: User) => {
    setBase(user);
    setValues(userFormOf(user));
    setConflict(null);
  };

  const send = async (changes: UserChanges, baseVersion: number): Promise<Complaint> => {
    const body = { ...changes, id: base.id, baseVersion };
    const called = await call(body.id, body, (api, key) => api.patchUser(body, key));
    if (called.kind === 'done') {
      restart(called.user);
      showSuccess(words.profile.success);
      return {};
    }
    const { failure, current } = called;
    if (failure?.code === 'conflict' && current) {
      const contested = contestedFields(changes, failure.fields, current);
      setConflict({ changes, contested, current });
      return {};
    }
    return complaintOf(failure, words.profile.failure);
  };

  const form = useForm({
    values,
    onChange: setValues,
    submit: async () => {
      const checked = checkUserEdit(userFormOf(base), values);
      if (!checked.isValid) return checked;
      if (Object.keys(checked.value).length > 0) return send(checked.value, base.version);
      showInfo(words.profile.nothing);
      return {};
    },
  });

  /** `mine`: the contested fields that are to have my value; the others keep theirs. */
  const decide = async (
    { changes, contested, current }: Conflict,
    mine: ReadonlySet<UserField>,
  ): Promise<void> => {
    const chosen = withoutTheirs(changes, contested, mine);
    if (Object.keys(chosen).length > 0) return form.complain(await send(chosen, current.version));
    restart(current);
    showInfo(words.conflict.kept);
  };

  return { base, values, form, conflict, restart, decide };
}
