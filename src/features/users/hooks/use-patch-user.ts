import type { PatchUserBody } from '#contract/user.ts';
import { useServerCall } from '#data/use-server-call.ts';
import { type Failure, sentenceOfFailure } from '#domain/outcome.ts';
import type { User } from '#domain/user.ts';
import { users as words } from '#messages/en/users.ts';
import { showSuccess } from '#ui/toast.tsx';
import type { Complaint } from '#ui/use-form.ts';

/** Form error for a failed call; `otherwise` if the failure has no message. */
export function complaintOf(failure: Failure | null, otherwise: string): Complaint {
  if (failure?.code === 'email_taken') {
    return { fields: { email: failure.message }, message: failure.message };
  }
  const message = sentenceOfFailure(failure, { needsNetwork: words.needsNetwork, otherwise });
  return { fields: failure?.fields, message };
}

/**
 * Resolves to the form's error, empty on success. `onConflict`: another admin changed the user
 * first; `current` is the server's row.
 */
export function usePatchUser(onDone: (user: User) => void) {
  const { call } = useServerCall();
  return async (
    body: PatchUserBody,
    onConflict: (current: User, failure: Failure) => Complaint,
  ): Promise<Complaint> => {
    const called = await call(body.id, body, (api, key) => api.patchUser(body, key));
    if (called.kind === 'done') {
      onDone(called.answer);
      showSuccess(words.profile.success);
      return {};
    }
    const { failure, current } = called;
    if (failure?.code === 'conflict' && current && 'roles' in current) {
      return onConflict(current, failure);
    }
    return complaintOf(failure, words.profile.failure);
  };
}
