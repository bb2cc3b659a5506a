/**
 * The contract version. Pages live long on phones and a server may be rolled back, so every pair of
 * versions meets. An addition (an optional field, another route) keeps the number: readers ignore
 * unknown fields and writers omit ones they lack. A removal raises `contractVersion`. Raising
 * `oldestSpoken` ends support for older pages, which are told to update (`app_outdated`) without
 * losing queued work. tests/contract/compatibility.test.ts compares the two.
 */

/** The only place that contains the product's name. */
export const productName = 'Kaya';

/** Of this build; sent with every call of the app, and by no other client. */
export const contractVersion = 1;

/** The oldest contract this build's server supports. */
export const oldestSpoken = 1;
