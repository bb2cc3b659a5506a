/** Searches number, names, addresses, phones and status: all words of the query must occur. Pure. */
import { readPhone } from '#contract/phone.ts';
import { plainDigits } from '#contract/text.ts';
import type { Package } from './package.ts';
import { statusLabel } from './status.ts';
import { displayName } from './user.ts';

/** Apostrophes are among the printable ones, and are dropped. */
const notPlain = /[^ -~\s]|['`]/;
/** Accents, what is invisible, and every apostrophe: Hausa's glottal stop is seldom typed. */
const dropped =
  /[\p{Mark}\p{Default_Ignorable_Code_Point}'`´\u2018-\u201B\u2032\u2035\u02B9-\u02CF\u02EE\u055A\u05F3\u07F4\u07F5\uA78B\uA78C]/gu;
/** Letters that do not decompose, as keyboards without them write them. */
const letters: Record<string, string> = {
  ...{ ɓ: 'b', ɗ: 'd', ƙ: 'k', ƴ: 'y', ŋ: 'n', ǝ: 'e', ə: 'e', ɛ: 'e', ɔ: 'o' },
  ...{ ł: 'l', ø: 'o', đ: 'd', ð: 'd', ı: 'i', ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th', ħ: 'h' },
};
const folded = new RegExp(`[${Object.keys(letters).join('')}]`, 'g');

/**
 * As it is searched: without case, accents, hooks and apostrophes, so that "Sha'aibu Ƙofar" and
 * 'shaaibu kofar' find each other.
 */
export function plainText(text: string): string {
  const lower = text.toLowerCase();
  // Most text is plain already, and normalization is ten times the work.
  if (!notPlain.test(lower)) return lower;
  return plainDigits(lower)
    .replaceAll('´', '')
    .normalize('NFKD')
    .replace(dropped, '')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(folded, (letter) => letters[letter] ?? letter);
}

/** 'KY-000042' also matches 'ky000042', 'ky-42' and 'ky42'. */
function numberForms(packageId: string): string {
  const short = packageId.replace(/^(\D*)0+/, '$1');
  return [packageId, short].map((form) => `${form} ${form.replace(/-/g, '')}`).join(' ');
}

/** A searchable text, prepared once and not per keystroke. */
export interface Searched {
  /** Plain, a line for each part: a query has no line breaks, so no word matches across two. */
  text: string;
  /** Results of `phoneDigits`, one number per line. */
  phones: string;
}

/** '+2348031234567' → '2348031234567 08031234567', however a row spells it: as it is dialled. */
export function phoneDigits(phone: string | null | undefined): string {
  if (!phone) return '';
  const digits = (/^\+\d+$/.test(phone) ? phone : (readPhone(phone) ?? phone)).replace(/\D/g, '');
  return digits.startsWith('234') ? `${digits} 0${digits.slice(3)}` : digits;
}

const found = new WeakMap<Package, Searched>();

/** Cached per package object. */
function searchedOf(pkg: Package): Searched {
  const known = found.get(pkg);
  if (known !== undefined) return known;
  const { sender, courier } = pkg;
  const parts = [
    numberForms(pkg.packageId),
    pkg.recipientName,
    displayName(sender),
    courier === null ? '' : displayName(courier),
    pkg.pickupAddress,
    pkg.deliveryAddress,
    statusLabel(pkg.status),
    pkg.description,
  ];
  const phones = [pkg.recipientPhone, sender.phoneNumber, courier?.phoneNumber];
  const searched = {
    text: plainText(parts.join('\n')),
    phones: phones.map(phoneDigits).join('\n'),
  };
  found.set(pkg, searched);
  return searched;
}

/** Digits and what people put between them: '+234', '(0)803', '123-4567', '–'. */
const numeric = /^[\d+().\-/\u2010-\u2015\u2212]+$/;
/** Fewer are in too many numbers. */
const leastDigits = 4;
/** As long as a number within a country, whose leading zero is not dialled from abroad. */
const wholeDigits = 7;

/** A number, or the end of one, as it may stand in phoneDigits. */
function spellings(run: string): string[] {
  const digits = run
    .replace(/\(0\)|\D/g, '')
    .replace(/^00/, '')
    .replace(/^2340/, '234');
  if (digits.length < leastDigits) return [];
  const whole = readPhone(run)?.replace('+', '');
  const bare = digits.length < wholeDigits ? digits : digits.replace(/^0/, '');
  return [digits, bare, ...(whole ? [whole] : [])];
}

/** Punctuation around a word of a sentence. */
const around = /^["\u201C\u201E\xAB#]+|["\u201D\xBB,.;:!?\u060C\u061B]+$/g;

/** 'Musa 0803 123' → the word 'musa' and the run '0803', '123', which may be one number. */
function partsOf(query: string): { words: string[]; runs: string[][] } {
  const words: string[] = [];
  const runs: string[][] = [];
  let run: string[] | null = null;
  for (const said of plainText(query).split(/\s+/).filter(Boolean)) {
    const word = said.replace(around, '') || said;
    if (!numeric.test(word)) {
      words.push(word);
      run = null;
    } else if (run) {
      run.push(word);
    } else {
      run = [word];
      runs.push(run);
    }
  }
  return { words, runs };
}

/** Whether what is searched has each word of the query, or the number that its digits are; null: empty. */
export function matcherOf(query: string): ((searched: Searched) => boolean) | null {
  const { words, runs } = partsOf(query);
  const numbers = runs.map((run) => ({ words: run, spellings: spellings(run.join(' ')) }));
  if (words.length + runs.length === 0) return null;
  return ({ text, phones }) => {
    const has = (word: string) => text.includes(word);
    const isNumber = (number: string) => phones.includes(number);
    return (
      words.every(has) &&
      numbers.every((run) => run.spellings.some(isNumber) || run.words.every(has))
    );
  };
}

/** Packages that match; all for an empty query. */
export function searchPackages<P extends Package>(all: readonly P[], query: string): readonly P[] {
  const isMatch = matcherOf(query);
  return isMatch ? all.filter((pkg) => isMatch(searchedOf(pkg))) : all;
}
