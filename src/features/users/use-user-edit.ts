/**
 * An admin's edit of somebody: what differs from what the form began with is sent on the version
 * that it began with, so that two admins never undo each other's work without knowing.
 *
 *   typed ──save──▶ done: the form stands on the server's answer
 *            ├────▶ refused: said at its field or under the form
 *            └────▶ conflict: field by field mine or theirs ──▶ sent on the version in sight
 */
import { useState } from 'react';
import {
  type ContestedField,
  contestedFields,
  type UserChanges,
  type UserField,
  withoutTheirs,
} from '#domain/administration.ts';
import type { User } from '#domain/user.ts';
import type { FieldMessages } from '#domain/validation.ts';
import { showInfo, showSuccess } from '#ui/toast.tsx';
import { type Called, failureSentence, useCall } from './use-call.ts';
import { words } from './words.ts';

export interface Conflict {
  changes: UserChanges;
  contested: ContestedField[];
  current: User;
}

interface Complaint {
  fields: FieldMessages;
  message: string | undefined;
}

const none: Complaint = { fields: {}, message: undefined };

function complaintOf({ failure }: Extract<Called, { kind: 'failed' }>): Complaint {
  if (failure?.code === 'email_taken') {
    return { fields: { email: failure.message }, message: failure.message };
  }
  const message = failureSentence(failure, words.profile.failure);
  return { fields: failure?.fields ?? {}, message };
}

/** `user`: as the mirror has them now; `onSaved`: the form's new ground. */
export function useUserEdit(user: User, onSaved: (user: User) => void) {
  const [base, setBase] = useState(user);
  const [complaint, setComplaint] = useState(none);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const { call, isBusy } = useCall();

  const settle = (saved: User) => {
    setBase(saved);
    setConflict(null);
    setComplaint(none);
    onSaved(saved);
  };

  const send = async (changes: UserChanges, baseVersion: number) => {
    const body = { ...changes, id: base.id, baseVersion };
    const called = await call(body.id, body, (api, key) => api.patchUser(body, key));
    if (called.kind === 'done') {
      settle(called.user);
      showSuccess(words.profile.success);
      return;
    }
    const { failure, current } = called;
    if (failure?.code === 'conflict' && current) {
      setComplaint(none);
      setConflict({
        ...{ changes, current },
        contested: contestedFields(changes, failure.fields, current),
      });
      return;
    }
    setComplaint(complaintOf(called));
  };

  return {
    base,
    isBusy,
    conflict,
    ...complaint,
    complain: (fields: FieldMessages, message: string | undefined) =>
      setComplaint({ fields, message }),
    /** Starts anew from what the server has. */
    settle,
    save: (changes: UserChanges) => send(changes, base.version),
    /** Those of the contested fields that are to be mine; the others stay as they are. */
    decide: async ({ changes, contested, current }: Conflict, mine: ReadonlySet<UserField>) => {
      const chosen = withoutTheirs(changes, contested, mine);
      if (Object.keys(chosen).length > 0) return send(chosen, current.version);
      settle(current);
      showInfo(words.conflict.kept);
    },
  };
}
