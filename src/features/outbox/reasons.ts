/**
 * What happened to an operation and what can be done about it, for every way in which the server or
 * the network can answer one (contract/errors, domain/outcome). Pure.
 */
import { type ErrorCode, errorCatalogue, isErrorCode } from '#contract/errors.ts';
import type { Operation } from '#domain/operation.ts';
import { names } from './operation-names.ts';

export interface Reason {
  what: string;
  advice: string;
}

/** Codes of calls that no operation makes, or that only an admin's administration can meet. */
type NeverOfOperations =
  | 'wrong_password'
  | 'signature_invalid'
  | 'email_unknown'
  | 'cross_site'
  | 'last_admin'
  | 'provider_unavailable';

/** Codes that are tried again by themselves and never refuse. */
type Retried =
  | 'unauthenticated'
  | 'session_expired'
  | 'in_progress'
  | 'rate_limited'
  | 'internal'
  | 'unavailable';

export const refusals = {
  already_assigned: {
    what: 'Another delivery personnel accepted this package before you.',
    advice: 'Discard this and choose another package.',
  },
  profile_incomplete: {
    what: 'Your profile has no name or phone number yet, and this needs both.',
    advice: 'Complete your profile, then retry.',
  },
  not_found: {
    what: 'The package is no longer there, or no longer yours to see.',
    advice: 'Discard this, or copy the details and ask the dispatcher.',
  },
  forbidden: {
    what: 'You are not allowed to do this.',
    advice: 'Discard this, or copy the details and ask the dispatcher.',
  },
  insufficient_funds: {
    what: errorCatalogue.insufficient_funds.message,
    advice: 'Top up and retry, or edit the price or the payment method.',
  },
  paid_out: {
    what: errorCatalogue.paid_out.message,
    advice: 'Edit the other fields alone, or discard this.',
  },
  invalid_fields: {
    what: 'The server did not take what is in some of the fields.',
    advice: 'Edit them and send again.',
  },
  conflict: {
    what: 'Somebody else changed the same fields in the meantime.',
    advice: 'Choose for each field what is to stand.',
  },
  account_inactive: {
    what: 'Your account has been deactivated.',
    advice: 'Contact support. This stays here; retry once your account is active again.',
  },
  courier_assigned: {
    what: 'A delivery personnel is assigned to the package by now.',
    advice: 'Discard this, or ask the dispatcher.',
  },
  courier_required: {
    what: 'The package has no delivery personnel any more.',
    advice: 'Look at the package, then discard this.',
  },
  invalid_state: {
    what: 'The package has moved on and this can no longer be done to it.',
    advice: 'Look at the package, then discard this, or retry if it fits again.',
  },
  email_taken: {
    what: 'Somebody else is registered with this email.',
    advice: 'Edit the email and send again.',
  },
  id_taken: {
    what: 'The server has a package under this id already, perhaps this very one.',
    advice: 'Look under Tracking. Discard this if the package is there; editing makes another one.',
  },
  key_reused: {
    what: 'The server knows this change in another form.',
    advice: 'Look at how it is now, then edit and send again, or discard this.',
  },
  malformed: {
    what: 'The server could not read it.',
    advice: 'Edit and send again, or copy the details for support.',
  },
  too_large: {
    what: 'It is too long for the server.',
    advice: 'Shorten the texts and send again.',
  },
  unsupported_media: {
    what: 'The server could not read it.',
    advice: 'Update Kaya and retry, or copy the details for support.',
  },
} as const satisfies Record<Exclude<ErrorCode, NeverOfOperations | Retried>, Reason>;

const isRefusal = (code: string): code is keyof typeof refusals => Object.hasOwn(refusals, code);

const byItself = 'It is sent by itself.';
const afterSignIn = 'Sign in again; then it is sent by itself.';

/** Why something that waits did not go through at its last try. */
function whyItWaits({ code, status }: { code: string; status: number }): string {
  if (code === 'network') return 'There was no network at the last try.';
  if (code === 'timeout') return 'The server did not answer in time.';
  if (status === 401) return 'You were not signed in any more.';
  if (status === 429) return 'The server asked to wait a while.';
  if (code === 'in_progress') return 'The server was still at work on it.';
  if (status >= 500) return 'The server had a problem.';
  if (code === 'malformed') {
    return 'Something else answered instead of the server, for example the sign-in page of a Wi-Fi.';
  }
  return 'It could not be sent at the last try.';
}

/** `lastError.code` of what stood behind a refused one. */
const dependsOnRefused = 'depends_on_refused';

/**
 * The refused operation that this one leans on: it goes where that one goes. Null: none, it is
 * decided on by itself.
 */
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

/** Null: nothing has happened to it yet. `base`: of `baseOf`. */
export function reasonOf(operation: Operation, base: Operation | null): Reason | null {
  const error = operation.lastError;
  if (!error) return null;
  if (operation.state === 'waiting') {
    return { what: whyItWaits(error), advice: error.status === 401 ? afterSignIn : byItself };
  }
  if (base) {
    const name = names[base.name];
    return {
      what: `It builds on “${name}”, which was refused.`,
      advice: `Decide on “${name}” first; this one follows it.`,
    };
  }
  // The amount that is missing is in the server's own sentence.
  if (error.code === 'insufficient_funds' && error.message) {
    return { ...refusals.insufficient_funds, what: error.message };
  }
  if (error.code === 'not_found' && operation.name === 'editProfile') {
    return { ...refusals.not_found, what: 'The server does not know this account any more.' };
  }
  if (isRefusal(error.code)) return refusals[error.code];
  if (error.code === 'readable_again') {
    return { what: error.message, advice: 'Retry if you still want it, or discard it.' };
  }
  if (error.code === dependsOnRefused) {
    return {
      what: 'It builds on a change that is not there any more.',
      advice: 'Retry if it makes sense by itself, or discard it.',
    };
  }
  const sentence =
    error.message || (isErrorCode(error.code) ? errorCatalogue[error.code].message : '');
  return {
    what: sentence ? `It was refused: ${sentence}` : 'It was refused.',
    advice: 'Retry, or copy the details for support.',
  };
}
