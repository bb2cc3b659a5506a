/** Explains each outcome of an operation (domain/outcome) and advises what to do. Pure. */
import { isErrorCode, refusalMessage } from '#contract/errors.ts';
import { haveTermsChanged } from '#domain/conflict.ts';
import {
  dependsOnRefused,
  type Operation,
  readableAgain,
  operations as rules,
} from '#domain/operation.ts';
import { needsAssignment } from '#domain/policy.ts';
import { operations as operationMessages } from '#messages/en/operations.ts';
import { type Reason, refusals as words } from '#messages/en/refusals.ts';

export const refusals = words.byCode;

const isRefusal = (code: string): code is keyof typeof refusals => Object.hasOwn(refusals, code);

function whyItWaits({ code, status }: { code: string; status: number }): string {
  if (code === 'network') return words.waits.network;
  if (code === 'timeout') return words.waits.timeout;
  if (status === 401) return words.waits.signedOut;
  if (status === 429) return words.waits.busy;
  if (code === 'in_progress') return words.waits.inProgress;
  if (status >= 500) return words.waits.server;
  if (code === 'malformed') return words.waits.elsewhere;
  return words.waits.other;
}

/** The refused operation that this one depends on and is resolved with; null: none. */
export function baseOf(operation: Operation, operations: readonly Operation[]): Operation | null {
  if (operation.lastError?.code !== dependsOnRefused) return null;
  const before = operations.filter(
    ({ seq, state, targetId, lastError }) =>
      seq < operation.seq &&
      state === 'attention' &&
      targetId === operation.targetId &&
      lastError?.code !== dependsOnRefused,
  );
  return before.sort((a, b) => b.seq - a.seq)[0] ?? null;
}

export interface Circumstances {
  /** Name of `base` (`nameOf`); defaults to the name of its kind. */
  baseName?: string;
  /** The package now has another courier, or none. */
  isTakenAway?: boolean;
  /** The server responds, but the phone has no room to store the response. */
  isStorageFull?: boolean;
}

/** Null: not attempted yet. `base`: from `baseOf`. */
export function reasonOf(
  operation: Operation,
  base: Operation | null,
  { baseName, isTakenAway = false, isStorageFull = false }: Circumstances = {},
): Reason | null {
  const error = operation.lastError;
  // The stored error is of an earlier attempt.
  if (operation.state === 'waiting' && isStorageFull) return words.storageFull;
  if (!error) return null;
  if (operation.state === 'waiting') {
    return {
      what: whyItWaits(error),
      advice: error.status === 401 ? words.afterSignIn : words.byItself,
    };
  }
  if (base) return words.buildsOn(baseName ?? operationMessages.names[base.name]);
  // The server's message states the missing amount.
  if (error.code === 'insufficient_funds' && error.message) {
    return { ...refusals.insufficient_funds, what: error.message };
  }
  const { action } = rules[operation.name];
  if (error.code === 'forbidden' && isTakenAway && action && needsAssignment(action)) {
    return { ...refusals.forbidden, what: words.takenAway };
  }
  if (error.code === 'not_found' && operation.name === 'editProfile') {
    return { ...refusals.not_found, what: words.accountGone };
  }
  if (haveTermsChanged(operation)) return words.otherTerms;
  if (isRefusal(error.code)) return refusals[error.code];
  if (error.code === readableAgain) {
    return { what: error.message, advice: words.readableAgain };
  }
  if (error.code === dependsOnRefused) return words.buildsOnNothing;
  const sentence = error.message || (isErrorCode(error.code) ? refusalMessage(error.code) : '');
  return { what: words.refusedFor(sentence), advice: words.otherwise };
}
