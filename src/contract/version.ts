/**
 * The contract version. Pages live long on phones and a server may be rolled back, so every pair of
 * versions meets. An addition (an optional field, another route) keeps the number: readers ignore
 * unknown fields and writers omit ones they lack. A removal raises `contractVersion`. Raising
 * `oldestSpoken` ends support for older pages, which must update (`app_outdated`) and keep their
 * queued work. tests/contract/compatibility.test.ts compares the two.
 */

/** The only place that contains the product's name. */
export const productName = 'Kaya';

/** This build's version; sent with every call of the app, and by no other client. */
export const contractVersion = 1;

/** The oldest contract this build's server supports. */
export const oldestSpoken = 1;

/** The version of a row of a server that keeps none, or that is not sent yet. Ours begin at 1. */
export const noVersion = 0;
