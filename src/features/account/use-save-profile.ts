import { useState } from 'react';
import { ApiFailure } from '#api/failure.ts';
import type { ProfileChanges } from '#contract/user.ts';
import type { Operation } from '#domain/operation.ts';
import type { User } from '#domain/user.ts';
import { checkProfile, type FieldMessages, type ProfileForm } from '#domain/validation.ts';
import { newId } from '#live/new-id.ts';
import { useSignedIn } from '#live/services.ts';
import { DecidedElsewhereError, useSend } from '#live/use-send.ts';
import { notSavedSentence, queuedSentence, queuedToast, sendingWords } from '#live/words.ts';
import { showError, showInfo, showSuccess } from '#ui/toast.tsx';
import { words } from './words.ts';

export function profileFormOf(user: User): ProfileForm {
  return {
    firstName: user.firstName,
    lastName: user.lastName,
    email: user.email ?? '',
    phoneNumber: user.phoneNumber ?? '',
    address: user.address ?? '',
  };
}

/** What a refusal says of each field. */
export function complaintsOf(refused: Pick<Operation, 'lastError'> | null): FieldMessages {
  const error = refused?.lastError;
  if (error?.code === 'email_taken') return { email: error.message };
  return error?.fields ?? {};
}

/** With a refused edit of these fields laid over it. */
export function mendedProfileForm(user: User, changes: ProfileChanges = {}): ProfileForm {
  const form = { ...profileFormOf(user) };
  for (const name of Object.keys(form) as (keyof ProfileForm)[]) {
    if (changes[name] !== undefined) form[name] = changes[name] ?? '';
  }
  return form;
}

/** Of checked values, those whose field differs from what the form began with. */
export function changedOf(
  before: ProfileForm,
  form: ProfileForm,
  checked: ProfileChanges,
): ProfileChanges {
  return Object.fromEntries(
    Object.entries(checked).filter(([name]) => {
      const field = name as keyof ProfileForm;
      return form[field] !== before[field];
    }),
  );
}

export type SaveResult =
  | { kind: 'saved' }
  | { kind: 'notSaved' }
  | { kind: 'invalid'; message: string; fields: FieldMessages };

/**
 * One's own profile is queued, in the place of a refused edit if one is named; another's (an admin's
 * doing) needs the server's word at once.
 */
export function useSaveProfile(before: User, replaces: string | null) {
  const [isBusy, setIsBusy] = useState(false);
  const { api, db, engine, userInfo } = useSignedIn();
  const send = useSend();

  const queueOwn = async (changes: ProfileChanges): Promise<SaveResult> => {
    try {
      const args = { changes, baseVersion: before.version };
      const { answer } = await send({ name: 'editProfile', targetId: before.id, args }, replaces);
      void answer.then((sent) => {
        // The server's answer is said once for the whole app, however late it comes.
        if (sent.kind === 'queued') {
          showSuccess(queuedSentence(sent, db.storage.fault()), queuedToast);
        }
      });
      return { kind: 'saved' };
    } catch (error) {
      const isDecided = error instanceof DecidedElsewhereError;
      showError(isDecided ? sendingWords.decided : notSavedSentence(error));
      return { kind: 'notSaved' };
    }
  };

  const patchOther = async (changes: ProfileChanges): Promise<SaveResult> => {
    try {
      const body = { ...changes, id: before.id, baseVersion: before.version };
      await api.patchUser(body, newId());
      engine.request('pull');
      showSuccess(words.edit.success);
      return { kind: 'saved' };
    } catch (error) {
      const failure = error instanceof ApiFailure ? error.failure : null;
      const sentence = failure?.kind === 'http' ? failure.message : '';
      if (failure?.fields) {
        return { kind: 'invalid', message: failure.message, fields: failure.fields };
      }
      showError(
        failure && failure.kind !== 'http' ? words.needsNetwork : sentence || words.edit.failure,
      );
      return { kind: 'notSaved' };
    }
  };

  const work = async (form: ProfileForm): Promise<SaveResult> => {
    const checked = checkProfile(form);
    if (!checked.isValid) {
      return { kind: 'invalid', message: checked.message, fields: checked.fields };
    }
    const changes = changedOf(profileFormOf(before), form, checked.value);
    if (Object.keys(changes).length === 0) {
      showInfo(words.edit.nothing);
      return { kind: 'saved' };
    }
    return before.id === userInfo.id ? queueOwn(changes) : patchOther(changes);
  };

  const save = async (form: ProfileForm): Promise<SaveResult> => {
    setIsBusy(true);
    try {
      return await work(form);
    } finally {
      setIsBusy(false);
    }
  };
  return { save, isBusy };
}
