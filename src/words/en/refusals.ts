/**
 * What happened to an operation and what can be done about it, for every way in which the server or
 * the network can answer one.
 */
import { type ErrorCode, errorCatalogue } from '#contract/errors.ts';

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
  | 'precondition_failed'
  | 'range_not_satisfiable'
  | 'provider_unavailable';

/** Codes that are tried again by themselves and never refuse. */
type Retried =
  | 'unauthenticated'
  | 'session_expired'
  | 'in_progress'
  | 'app_outdated'
  | 'rate_limited'
  | 'internal'
  | 'unavailable';

export const refusals = {
  byCode: {
    already_assigned: {
      what: 'Another courier took it before you.',
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
      what: 'The package has been given to a courier by now.',
      advice: 'Discard this, or ask the dispatcher.',
    },
    courier_required: {
      what: 'The package has no courier any more.',
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
      advice:
        'Look under Tracking. Discard this if the package is there; editing makes another one.',
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
  } as const satisfies Record<Exclude<ErrorCode, NeverOfOperations | Retried>, Reason>,
  byItself: 'It is sent by itself.',
  afterSignIn: 'Sign in again; then it is sent by itself.',
  waits: {
    network: 'There was no network at the last try.',
    timeout: 'The server did not answer in time.',
    signedOut: 'You were not signed in any more.',
    busy: 'The server asked to wait a while.',
    inProgress: 'The server was still at work on it.',
    server: 'The server had a problem.',
    elsewhere:
      'Something else answered instead of the server, for example the sign-in page of a Wi-Fi.',
    other: 'It could not be sent at the last try.',
  },
  buildsOn: (name: string) => ({
    what: `It builds on “${name}”, which was refused.`,
    advice: `Decide on “${name}” first; this one follows it.`,
  }),
  buildsOnNothing: {
    what: 'It builds on a change that is not there any more.',
    advice: 'Retry if it makes sense by itself, or discard it.',
  },
  otherBargain: {
    what: 'The package was changed after you last saw it.',
    advice: 'Accept it as it is now, or discard this.',
  },
  takenAway: 'It is no longer assigned to you.',
  accountGone: 'The server does not know this account any more.',
  readableAgain: 'Retry if you still want it, or discard it.',
  refusedFor: (sentence: string) => (sentence ? `It was refused: ${sentence}` : 'It was refused.'),
  otherwise: 'Retry, or copy the details for support.',
};
