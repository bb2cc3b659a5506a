/** Explanation and advice for every error code. */
import { appRefusals, type ErrorCode } from '#contract/errors.ts';
import { localized } from '#messages/localized.ts';

export interface Reason {
  what: string;
  advice: string;
}

/** Codes that no operation can get, or only user administration and payouts. */
type NeverOfOperations =
  | 'wrong_password'
  | 'signature_invalid'
  | 'email_unknown'
  | 'cross_site'
  | 'last_admin'
  | 'money_spent'
  | 'no_bank_account'
  | 'account_waiting'
  | 'account_unknown'
  | 'precondition_failed'
  | 'headers_too_large'
  | 'range_not_satisfiable'
  | 'picture_missing'
  | 'link_ended'
  | 'link_used'
  | 'provider_unavailable';

/** Codes that are retried automatically and never refuse. */
type Retried =
  | 'unauthenticated'
  | 'session_expired'
  | 'session_unclear'
  | 'in_progress'
  | 'request_timeout'
  | 'app_outdated'
  | 'rate_limited'
  | 'internal'
  | 'pictures_unavailable'
  | 'unavailable';

export const refusals = localized('refusals', {
  byCode: {
    already_assigned: {
      what: 'Another courier accepted it first.',
      advice: 'Discard this and choose another package.',
    },
    picked_up: {
      what: 'You have this package.',
      advice: 'Discard this, then return the package or ask a dispatcher.',
    },
    too_many_carried: {
      what: 'You already carry the most packages allowed.',
      advice: 'Deliver or drop one, then retry.',
    },
    too_many_steps: {
      what: 'You have changed this package too often in the last hour.',
      advice: 'Retry in an hour, or ask the dispatcher.',
    },
    profile_incomplete: {
      what: 'Your profile has no name or phone number yet, and this needs both.',
      advice: 'Complete your profile, then retry.',
    },
    not_found: {
      what: 'The package no longer exists, or you no longer have access.',
      advice: 'Ask the dispatcher, then retry. Or discard this.',
    },
    forbidden: {
      what: 'You are not allowed to do this.',
      advice: 'Ask the dispatcher, then retry. Or discard this.',
    },
    insufficient_funds: {
      what: appRefusals.insufficient_funds.message,
      advice: 'Top up and retry, or edit the price or the payment method.',
    },
    paid_out: {
      what: appRefusals.paid_out.message,
      advice: 'Edit the other fields alone, or discard this.',
    },
    disputed: {
      what: appRefusals.disputed.message,
      advice: 'Retry once a dispatcher has settled it, or discard this.',
    },
    invalid_fields: {
      what: 'Some fields are invalid.',
      advice: 'Edit them and send again.',
    },
    conflict: {
      what: 'Someone else changed the same fields in the meantime.',
      advice: 'Choose which value to keep for each field.',
    },
    account_inactive: {
      what: 'Your account has been deactivated.',
      advice: 'Contact support. This stays here; retry once your account is active again.',
    },
    courier_assigned: {
      what: 'The package already has a courier.',
      advice: 'Discard this, or ask the dispatcher.',
    },
    courier_required: {
      what: 'The package no longer has a courier.',
      advice: 'Look at the package, then discard this.',
    },
    invalid_state: {
      what: 'The package’s status has changed, so this is no longer possible.',
      advice: 'Look at the package, then discard this, or retry if it applies again.',
    },
    proof_required: {
      what: 'It needs the recipient’s code, or a photo.',
      advice: 'Deliver it again with one of these, or ask the dispatcher.',
    },
    wrong_code: {
      what: 'The code was not right.',
      advice: 'Ask for the code again, or take a photo.',
    },
    code_locked: {
      what: 'There were too many wrong codes.',
      advice: 'Take a photo, or ask a dispatcher.',
    },
    too_late: {
      what: 'It was too late for this.',
      advice: 'Discard this, or ask the dispatcher.',
    },
    bad_picture: {
      what: 'The picture can’t be read: it must be a JPEG, PNG or WebP.',
      advice: 'Discard this, or copy the details and ask the dispatcher.',
    },
    picture_damaged: {
      what: 'The picture was damaged on its way.',
      advice: 'Retry, or copy the details and ask the dispatcher.',
    },
    picture_too_large: {
      what: 'The picture is larger than 400 kB.',
      advice: 'Discard this, or copy the details and ask the dispatcher.',
    },
    email_taken: {
      what: 'This email is already in use.',
      advice: 'Edit the email and send again.',
    },
    id_taken: {
      what: 'A package with this ID already exists.',
      advice:
        'Look under Tracking. Discard this if the package is there. Editing creates a new one.',
    },
    key_reused: {
      what: 'The server already received a different version of this change.',
      advice: 'Look at how it is now, then edit and send again, or discard this.',
    },
    malformed: {
      what: 'The server couldn’t process it.',
      advice: 'Edit and send again, or copy the details for support.',
    },
    too_large: {
      what: 'It’s too long.',
      advice: 'Shorten the texts and send again.',
    },
    unsupported_media: {
      what: 'The server couldn’t process it.',
      advice: 'Update Kaya and retry, or copy the details for support.',
    },
  } as const satisfies Record<Exclude<ErrorCode, NeverOfOperations | Retried>, Reason>,
  byItself: 'It will be sent automatically.',
  storageFull: {
    what: 'Your phone is out of storage.',
    advice: 'Free up some space and Kaya continues automatically.',
  },
  afterSignIn: 'Sign in again and it will be sent automatically.',
  waits: {
    network: 'Couldn’t reach the server on the last attempt.',
    timeout: 'The server did not answer in time.',
    signedOut: 'Your session had ended.',
    busy: 'The server was busy.',
    inProgress: 'The server was still processing it.',
    server: 'The server had a problem.',
    elsewhere:
      'Something else answered instead of the server, for example the sign-in page of a Wi-Fi.',
    other: 'The last attempt failed.',
  },
  buildsOn: (name: string) => ({
    what: `It depends on “${name}”, which was refused.`,
    advice: `Resolve “${name}” first.`,
  }),
  buildsOnNothing: {
    what: 'It depended on a change that no longer exists.',
    advice: 'Retry if it still makes sense, or discard it.',
  },
  otherTerms: {
    what: 'The package was changed after you last saw it.',
    advice: 'Accept it as it is now, or discard this.',
  },
  takenAway: 'It is no longer assigned to you.',
  accountGone: 'This account no longer exists.',
  readableAgain: 'Retry if you still want it, or discard it.',
  refusedFor: (sentence: string) => (sentence ? `It was refused: ${sentence}` : 'It was refused.'),
  otherwise: 'Retry, or copy the details for support.',
});
