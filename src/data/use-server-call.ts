/** Calls from a screen that are never queued: made now or not at all. */
import { useAtomValue } from 'jotai';
import { useState } from 'react';
import { ApiFailure, failureOf } from '#api/failure.ts';
import { type Failure, outcomeOf } from '#domain/outcome.ts';
import { unansweredCallsAtom } from '#state/unanswered-calls.ts';
import { newId } from './new-id.ts';
import { useSignedIn } from './services.ts';

type Api = ReturnType<typeof useSignedIn>['api'];

export type Called<Answer> =
  | { kind: 'done'; answer: Answer }
  /** `failure`: null if the product itself failed. `current`: the row that a conflict showed. */
  | { kind: 'failed'; failure: Failure | null; current: ApiFailure['current'] };

/**
 * An unanswered call is made again under its Idempotency-Key, so that it never applies twice. Once
 * another call about the same row succeeds, the same body is a new intent with a new key.
 */
export function useServerCall() {
  const { api, engine } = useSignedIn();
  const unanswered = useAtomValue(unansweredCallsAtom);
  const [isBusy, setIsBusy] = useState(false);

  /** `about`: the row's id, or a name while there is no row. `body` identifies the intent. */
  const call = async <Answer>(
    about: string,
    body: unknown,
    send: (api: Api, key: string) => Promise<Answer>,
  ): Promise<Called<Answer>> => {
    const keys = unanswered.get(about) ?? new Map<string, string>();
    const text = JSON.stringify(body);
    const key = keys.get(text) ?? newId();
    unanswered.set(about, keys.set(text, key));
    setIsBusy(true);
    try {
      const answer = await send(api, key);
      unanswered.delete(about);
      return { kind: 'done', answer };
    } catch (error) {
      const failure = failureOf(error);
      if (failure && outcomeOf(failure) === 'rejected') keys.delete(text);
      const current = error instanceof ApiFailure ? error.current : undefined;
      return { kind: 'failed', failure, current };
    } finally {
      setIsBusy(false);
      // Pulls after a failure too: the call may have been applied, or the row may have changed.
      engine.request('pull');
    }
  };
  return { call, isBusy };
}
