/** A user-administration call: never queued, fails offline. */
import { ApiFailure, failureOf } from '#api/failure.ts';
import type { PatchUserBody } from '#contract/user.ts';
import { useSignedIn } from '#data/services.ts';
import { useKeyedCall } from '#data/use-keyed-call.ts';
import { type Failure, sentenceOfFailure } from '#domain/outcome.ts';
import type { User } from '#domain/user.ts';
import { users as words } from '#messages/en/users.ts';
import { showSuccess } from '#ui/toast.tsx';
import type { Complaint } from '#ui/use-form.ts';

export type Called =
  | { kind: 'done'; user: User }
  /** `current`: the user as on the server, if the refusal included them. */
  | { kind: 'failed'; failure: Failure | null; current: User | null };

type Api = ReturnType<typeof useSignedIn>['api'];

function currentOf(error: unknown): User | null {
  const current = error instanceof ApiFailure ? error.current : undefined;
  return current && 'roles' in current ? current : null;
}

/** `body` identifies the intent. `about`: the user's id, '' for one not created yet. */
export function useCall() {
  const { api, engine } = useSignedIn();
  const call = useKeyedCall();
  return async (
    about: string,
    body: unknown,
    send: (api: Api, key: string) => Promise<User>,
  ): Promise<Called> => {
    try {
      return { kind: 'done', user: await call(about, body, (key) => send(api, key)) };
    } catch (error) {
      return { kind: 'failed', failure: failureOf(error), current: currentOf(error) };
    } finally {
      // Also after a failure: it may have been applied, or the user may have changed.
      engine.request('pull');
    }
  };
}

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
  const call = useCall();
  return async (
    body: PatchUserBody,
    onConflict: (current: User, failure: Failure) => Complaint,
  ): Promise<Complaint> => {
    const called = await call(body.id, body, (api, key) => api.patchUser(body, key));
    if (called.kind === 'done') {
      onDone(called.user);
      showSuccess(words.profile.success);
      return {};
    }
    const { failure, current } = called;
    if (failure?.code === 'conflict' && current) return onConflict(current, failure);
    return complaintOf(failure, words.profile.failure);
  };
}
