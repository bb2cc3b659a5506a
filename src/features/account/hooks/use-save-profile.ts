import type { ProfileChanges } from '#contract/user.ts';
import { useSubmitIntent } from '#data/submit-intent.ts';
import type { Operation } from '#domain/operation.ts';
import type { User } from '#domain/user.ts';
import { checkProfile, type ProfileForm, profileFormOf } from '#domain/validation.ts';
import { account as words } from '#messages/en/account.ts';
import * as toasts from '#ui/toast.tsx';
import type { Complaint } from '#ui/use-form.ts';

export function complaintOf(refused: Pick<Operation, 'lastError'> | null): Complaint {
  const error = refused?.lastError;
  if (error?.code !== 'email_taken') return error ?? {};
  return { fields: { email: error.message }, message: error.message };
}

export function correctedProfileForm(user: User, changes: ProfileChanges = {}): ProfileForm {
  const form = profileFormOf(user);
  for (const name of Object.keys(form) as (keyof ProfileForm)[]) {
    if (changes[name] !== undefined) form[name] = changes[name] ?? '';
  }
  return form;
}

export function changedOf(
  before: ProfileForm,
  form: ProfileForm,
  checked: ProfileChanges,
): ProfileChanges {
  const isChanged = (field: keyof ProfileForm) => form[field] !== before[field];
  return Object.fromEntries(
    Object.entries(checked).filter(([name]) => isChanged(name as keyof ProfileForm)),
  );
}

/** Queues the changes, replacing a refused edit. Resolves to its errors, or null once saved. */
export function useSaveProfile(before: User, replaces: string | null) {
  const submitIntent = useSubmitIntent(toasts);
  return async (form: ProfileForm): Promise<Complaint | null> => {
    const checked = checkProfile(form);
    if (!checked.isValid) return checked;
    const changes = changedOf(profileFormOf(before), form, checked.value);
    if (Object.keys(changes).length === 0) {
      toasts.showInfo(words.edit.nothing);
      return null;
    }
    const args = { changes, baseVersion: before.version };
    const intent = { name: 'editProfile', targetId: before.id, args } as const;
    return (await submitIntent(intent, replaces)) ? null : {};
  };
}
