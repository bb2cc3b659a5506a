/**
 * Which contract a page was built for. Pages live long on phones, and a server may be set back, so the
 * two meet in every pairing: an addition (an optional field, another route) needs no new number, since
 * readers ignore what they do not know and writers leave out what they do not have. What takes
 * something away raises `contractVersion`; once pages of before cannot be served any more,
 * `oldestSpoken` follows, and they are told to update (`app_outdated`), with nothing of theirs refused.
 * tests/contract/compatibility.test.ts holds the two against each other.
 */

/** The one place that holds the product's name. */
export const productName = 'Kaya';

/** Of this build; sent with every call of the app, and by no other client. */
export const contractVersion = 1;

/** The oldest that this build's server understands. */
export const oldestSpoken = 1;
