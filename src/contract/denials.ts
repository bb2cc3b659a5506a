/** Refusals with 401 or 403, apart from the others: a page knows them before it has a screen. */
export const denials = {
  session_expired: 401,
  session_unclear: 401,
  unauthenticated: 401,
  wrong_password: 401,
  signature_invalid: 401,
  forbidden: 403,
  account_inactive: 403,
  cross_site: 403,
} as const;

/** False for a code that no server of ours sends with 401 or 403. */
export const isDenial = (code: string): code is keyof typeof denials =>
  Object.hasOwn(denials, code);
