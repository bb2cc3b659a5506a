/**
 * Every refusal of the server. 404: may not see; 403: may not do; 409: the state forbids it; 422:
 * invalid fields.
 */

import { denials } from './denials.ts';

/** Refusals that the app also raises without the server: HTTP status and a sentence for people. */
export const appRefusals = {
  session_expired: {
    status: denials.session_expired,
    message: 'Your login has expired. Please log in again.',
  },
  session_unclear: {
    status: denials.session_unclear,
    message: 'Please log in again: this browser may hold the login of someone else.',
  },
  insufficient_funds: {
    status: 402,
    message: 'Your balance does not cover this. Top up and try again.',
  },
  forbidden: { status: denials.forbidden, message: 'You are not allowed to do this.' },
  not_found: { status: 404, message: 'Not found, or you don’t have access to it.' },
  already_assigned: { status: 409, message: 'This package has already been assigned' },
  courier_assigned: {
    status: 409,
    message: 'A delivery personnel is already assigned to this package. Cannot delete.',
  },
  picked_up: {
    status: 409,
    message: 'You have this package. Return it or ask a dispatcher.',
  },
  courier_required: {
    status: 409,
    message: 'A package cannot be in transit or delivered without a delivery personnel.',
  },
  invalid_state: { status: 409, message: 'The package is no longer in a state that allows this.' },
  paid_out: {
    status: 409,
    message: 'The money for this package has been paid out, so price and payment stay as they are.',
  },
  disputed: {
    status: 409,
    message: 'There is an open dispute about this package. A dispatcher has to decide it first.',
  },
  code_locked: {
    status: 409,
    message: 'Too many wrong codes. Take a photo, or ask a dispatcher.',
  },
  too_late: { status: 409, message: 'It is too late for this.' },
  profile_incomplete: {
    status: 422,
    message: 'Please complete your profile information before creating a package.',
  },
  proof_required: {
    status: 422,
    message: 'This needs the code, or a photo with the name of who took the package.',
  },
  wrong_code: { status: 422, message: 'This code is not right.' },
  bad_picture: { status: 422, message: 'This is not a picture that can be kept.' },
} as const satisfies Record<string, { status: number; message: string }>;

/** The HTTP status of all others; their sentences come with them (server/http/error-catalogue.ts). */
export const otherStatuses = {
  malformed: 400,
  request_timeout: 408,
  headers_too_large: 431,
  unauthenticated: denials.unauthenticated,
  wrong_password: denials.wrong_password,
  signature_invalid: denials.signature_invalid,
  email_unknown: 404,
  email_taken: 409,
  account_inactive: denials.account_inactive,
  cross_site: denials.cross_site,
  app_outdated: 410,
  link_ended: 410,
  link_used: 410,
  too_many_carried: 409,
  too_many_steps: 409,
  money_spent: 409,
  no_bank_account: 409,
  account_waiting: 409,
  last_admin: 409,
  conflict: 409,
  id_taken: 409,
  in_progress: 409,
  account_unknown: 422,
  key_reused: 422,
  invalid_fields: 422,
  picture_damaged: 400,
  picture_missing: 404,
  picture_too_large: 413,
  precondition_failed: 412,
  range_not_satisfiable: 416,
  too_large: 413,
  unsupported_media: 415,
  rate_limited: 429,
  internal: 500,
  provider_unavailable: 503,
  pictures_unavailable: 503,
  unavailable: 503,
} as const satisfies Record<string, number>;

type AppRefusal = keyof typeof appRefusals;
export type ErrorCode = AppRefusal | keyof typeof otherStatuses;

const isAppRefusal = (code: string): code is AppRefusal => Object.hasOwn(appRefusals, code);

export function isErrorCode(code: string): code is ErrorCode {
  return isAppRefusal(code) || Object.hasOwn(otherStatuses, code);
}

/** The message of an app refusal; for any other code that of `forbidden`. */
export function refusalMessage(code: string): string {
  return appRefusals[isAppRefusal(code) ? code : 'forbidden'].message;
}
