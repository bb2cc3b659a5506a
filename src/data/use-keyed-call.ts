/**
 * Calls that are never queued but must not apply twice. An unanswered call is retried with its
 * Idempotency-Key. Once another call about the same user succeeds, the same body is a new intent
 * with a new key.
 */
import { useAtomValue } from 'jotai';
import { failureOf } from '#api/failure.ts';
import { outcomeOf } from '#domain/outcome.ts';
import { unansweredCallsAtom } from '#state/users.ts';
import { newId } from './new-id.ts';

/** `body` identifies the intent. `about`: the user's id, '' for one not created yet. */
export function useKeyedCall() {
  const unanswered = useAtomValue(unansweredCallsAtom);
  return async <Answer>(
    about: string,
    body: unknown,
    send: (key: string) => Promise<Answer>,
  ): Promise<Answer> => {
    const keys = unanswered.get(about) ?? new Map<string, string>();
    const text = JSON.stringify(body);
    const key = keys.get(text) ?? newId();
    unanswered.set(about, keys.set(text, key));
    try {
      const answer = await send(key);
      unanswered.delete(about);
      return answer;
    } catch (error) {
      const failure = failureOf(error);
      if (failure && outcomeOf(failure) === 'rejected') keys.delete(text);
      throw error;
    }
  };
}
