/** Every refusal: code, HTTP status and a sentence for people. */
import { appRefusals, type ErrorCode, otherStatuses } from '#contract/errors.ts';

type OtherCode = keyof typeof otherStatuses;

const messages: Record<OtherCode, string> = {
  malformed: 'The request could not be read. Send valid JSON.',
  request_timeout: 'The request did not arrive in time. Try again.',
  headers_too_large: 'The headers of the request are too large.',
  unauthenticated: 'Please log in to continue.',
  wrong_password: 'Incorrect password.',
  signature_invalid: 'The signature does not match the body.',
  email_unknown: 'Email is not registered.',
  email_taken: 'This email is already in use.',
  account_inactive: 'This account has been deactivated. Please contact support.',
  cross_site: 'This call must come from the app itself.',
  app_outdated: 'This version of the app is out of date. Update it to continue; nothing is lost.',
  link_ended: 'This link has ended.',
  link_used: 'This link no longer works. Ask for a new one.',
  too_many_carried:
    'You already carry the most packages allowed. Deliver or drop one, then try again.',
  too_many_steps: 'You have changed this package too often in the last hour. Try again later.',
  money_spent:
    'Their balance no longer has this amount, so nothing was moved. Choose a smaller share.',
  no_bank_account: 'Add your bank account first.',
  account_waiting: 'The bank account is new. The first payout to it has to wait a while.',
  account_unknown: 'The bank does not know this account. Check the bank and the number.',
  last_admin: 'There must be at least one other active admin first.',
  conflict: 'Someone else changed the same fields in the meantime.',
  id_taken: 'This id is already in use.',
  in_progress: 'The same request is still being processed. Try again.',
  key_reused: 'This Idempotency-Key was used for a different request. Use a new one.',
  invalid_fields: 'Some fields need your attention.',
  picture_damaged: 'The picture was damaged on its way. Send it again.',
  picture_missing: 'This picture was lost.',
  picture_too_large: 'Send a picture of at most 400 kB.',
  precondition_failed: 'It has changed since you loaded it.',
  range_not_satisfiable: 'The file has no such part.',
  too_large: 'The request is too large.',
  unsupported_media:
    'Send JSON as application/json, a picture as image/jpeg, image/png or image/webp.',
  rate_limited: 'Too many attempts. Please wait a moment and try again.',
  internal: 'Something went wrong on our side. Please try again.',
  provider_unavailable:
    'The payment provider is not responding. Nothing was charged. Please try again.',
  pictures_unavailable: 'Pictures are temporarily unavailable. Please try again.',
  unavailable: 'The service is temporarily unavailable. Please try again.',
};

interface Entry {
  status: number;
  message: string;
}

const others = Object.entries(messages).map(([code, message]) => [
  code,
  { status: otherStatuses[code as OtherCode], message },
]);

export const errorCatalogue: Readonly<Record<ErrorCode, Entry>> = {
  ...appRefusals,
  // The app raises it for a missing picture, and knows no limits.
  bad_picture: {
    ...appRefusals.bad_picture,
    message: 'Send a JPEG, PNG or WebP picture of at most 4,096 pixels a side.',
  },
  ...Object.fromEntries(others),
};
