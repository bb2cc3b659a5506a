/**
 * Every refusal of the server: code, HTTP status and a sentence for people. 404: may not see; 403:
 * may not do; 409: the state forbids it; 422: invalid fields.
 */
export const errorCatalogue = {
  malformed: { status: 400, message: 'The request could not be read. Send valid JSON.' },
  request_timeout: { status: 408, message: 'The request did not arrive in time. Try again.' },
  headers_too_large: { status: 431, message: 'The headers of the request are too large.' },
  unauthenticated: { status: 401, message: 'Please log in to continue.' },
  session_expired: { status: 401, message: 'Your login has expired. Please log in again.' },
  session_unclear: {
    status: 401,
    message: 'Please log in again: this browser may hold the login of someone else.',
  },
  wrong_password: { status: 401, message: 'Incorrect password.' },
  signature_invalid: { status: 401, message: 'The signature does not match the body.' },
  insufficient_funds: {
    status: 402,
    message: 'Your balance does not cover this. Top up and try again.',
  },
  email_unknown: { status: 404, message: 'Email is not registered.' },
  email_taken: { status: 409, message: 'This email is already in use.' },
  account_inactive: {
    status: 403,
    message: 'This account has been deactivated. Please contact support.',
  },
  cross_site: { status: 403, message: 'This call must come from the app itself.' },
  forbidden: { status: 403, message: 'You are not allowed to do this.' },
  app_outdated: {
    status: 410,
    message: 'This version of the app is out of date. Update it to continue; nothing is lost.',
  },
  link_ended: {
    status: 410,
    message: 'This link has ended.',
  },
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
  too_many_carried: {
    status: 409,
    message: 'You already carry the most packages allowed. Deliver or drop one, then try again.',
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
  last_admin: { status: 409, message: 'There must be at least one other active admin first.' },
  conflict: { status: 409, message: 'Someone else changed the same fields in the meantime.' },
  id_taken: { status: 409, message: 'This id is already in use.' },
  in_progress: { status: 409, message: 'The same request is still being processed. Try again.' },
  key_reused: {
    status: 422,
    message: 'This Idempotency-Key was used for a different request. Use a new one.',
  },
  invalid_fields: { status: 422, message: 'Some fields need your attention.' },
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
  picture_damaged: {
    status: 400,
    message: 'The picture was damaged on its way. Send it again.',
  },
  picture_missing: { status: 404, message: 'This picture was lost.' },
  picture_too_large: { status: 413, message: 'The picture is too large.' },
  precondition_failed: { status: 412, message: 'It has changed since you loaded it.' },
  range_not_satisfiable: { status: 416, message: 'The file has no such part.' },
  too_large: { status: 413, message: 'The request is too large.' },
  unsupported_media: { status: 415, message: 'Send the request as application/json.' },
  rate_limited: { status: 429, message: 'Too many attempts. Please wait a moment and try again.' },
  internal: { status: 500, message: 'Something went wrong on our side. Please try again.' },
  provider_unavailable: {
    status: 503,
    message: 'The payment provider is not responding. Nothing was charged. Please try again.',
  },
  pictures_unavailable: {
    status: 503,
    message: 'Pictures are temporarily unavailable. Please try again.',
  },
  unavailable: {
    status: 503,
    message: 'The service is temporarily unavailable. Please try again.',
  },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errorCatalogue;

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCatalogue, code);
}

/** The message of a code; of `forbidden` for an unknown one. */
export function refusalMessage(code: string): string {
  return errorCatalogue[isErrorCode(code) ? code : 'forbidden'].message;
}
