/** Cleans text that is pasted from chats, spreadsheets and other keyboards. Pure. */

/**
 * Invisible characters with no use in a person's words: direction marks, zero-width spaces, byte
 * order marks, controls, and halves of characters, which no database stores. Joiners, variation
 * selectors and tags stay: scripts and emoji need them.
 */
const unseen =
  /(?![\t\n\v\f\r\u0085])\p{Cc}|[\u00AD\u061C\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u206F\uFEFF]|\p{Surrogate}/gu;
const lineBreaks = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
/** Tabs and the spaces of typesetters, in a line. */
const spaces = /[\t\p{Zs}]/gu;

/** Line breaks stay, as '\n'. */
export const cleanParagraph = (text: string): string =>
  text.replace(unseen, '').replace(lineBreaks, '\n').replace(spaces, ' ').trim();

/** One line with single spaces. */
export const cleanLine = (text: string): string => cleanParagraph(text).replace(/\s+/g, ' ');

/** Arabic, Persian, N'Ko, Adlam and full-width digits: each block begins at a multiple of 16. */
const otherDigits = /[\u0660-\u0669\u06F0-\u06F9\u07C0-\u07C9\u{1E950}-\u{1E959}\uFF10-\uFF19]/gu;

export const plainDigits = (text: string): string =>
  text.replace(otherDigits, (digit) => String((digit.codePointAt(0) ?? 0) & 15));
