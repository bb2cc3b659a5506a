/**
 * A call about somebody that is never queued (DESIGN.md section 5): it needs the server's word at
 * once, and says so where there is none.
 *
 * Invariants: what got no answer is asked again under the same key, so that a second press cannot do
 * it twice, money above all; once something else about the same user has been done, the same words
 * are a new intent, and an old answer is none to it.
 */
import { useAtomValue } from 'jotai';
import { useState } from 'react';
import { ApiFailure } from '#api/failure.ts';
import { type Failure, outcomeOf } from '#domain/outcome.ts';
import type { User } from '#domain/user.ts';
import { newId } from '#live/new-id.ts';
import { useSignedIn } from '#live/services.ts';
import { unansweredCallsAtom } from '#state/unanswered-calls.ts';
import { words } from './words.ts';

export type Called =
  | { kind: 'done'; user: User }
  /** `current`: the user as the server has them, where it came with the refusal. */
  | { kind: 'failed'; failure: Failure | null; current: User | null };

type Api = ReturnType<typeof useSignedIn>['api'];

function currentOf(error: unknown): User | null {
  const current = error instanceof ApiFailure ? error.current : undefined;
  return current && 'roles' in current ? current : null;
}

export function useCall() {
  const { api, engine } = useSignedIn();
  const [isBusy, setIsBusy] = useState(false);
  const unanswered = useAtomValue(unansweredCallsAtom);

  /**
   * `body` tells one intent from another: the same one keeps its key until it is answered. `about`:
   * whom it is about, '' for somebody who does not exist yet.
   */
  const call = async (
    about: string,
    body: unknown,
    send: (api: Api, key: string) => Promise<User>,
  ): Promise<Called> => {
    const keys = unanswered.get(about) ?? new Map<string, string>();
    const text = JSON.stringify(body);
    const key = keys.get(text) ?? newId();
    unanswered.set(about, keys.set(text, key));
    setIsBusy(true);
    try {
      const user = await send(api, key);
      unanswered.delete(about);
      return { kind: 'done', user };
    } catch (error) {
      const failure = error instanceof ApiFailure ? error.failure : null;
      if (failure && outcomeOf(failure) === 'rejected') keys.delete(text);
      return { kind: 'failed', failure, current: currentOf(error) };
    } finally {
      setIsBusy(false);
      // Also after a failure: it may have been done all the same, or somebody else has been there.
      engine.request('pull');
    }
  };
  return { call, isBusy };
}

/** The sentence for a call that did not go through. */
export function failureSentence(failure: Failure | null, fallback: string): string {
  if (failure === null) return fallback;
  return failure.kind === 'http' ? failure.message || fallback : words.needsNetwork;
}
