/**
 * An admin's edit of another user. Sends the form's changes with the version they are based on, so
 * that admins never overwrite each other's changes unknowingly.
 *
 *   edited ──submit──▶ done: the form resets to the server's answer
 *             ├──────▶ refused: form error
 *             └──────▶ conflict: choose mine or theirs per field ──▶ resubmit with the shown version
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
import type { UserDraft } from '#state/users.ts';
import { showInfo } from '#ui/toast.tsx';
import { type Complaint, useForm } from '#ui/use-form.ts';
import { usePatchUser } from './use-call.ts';

export interface Conflict {
  changes: UserChanges;
  contested: ContestedField[];
  current: User;
}

export function useUserEdit(draft: UserDraft<UserForm>) {
  const [base, setBase] = useState(draft.base);
  const [values, setValues] = useState(draft.form);
  const [conflict, setConflict] = useState<Conflict | null>(null);

  const restart = (user: User) => {
    setBase(user);
    setValues(userFormOf(user));
    setConflict(null);
  };

  const patch = usePatchUser(restart);
  const send = (changes: UserChanges, baseVersion: number): Promise<Complaint> =>
    patch({ ...changes, id: base.id, baseVersion }, (current, { fields }) => {
      setConflict({ changes, contested: contestedFields(changes, fields, current), current });
      return {};
    });

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

  /** `mine`: the contested fields that keep my value; the rest take theirs. */
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
