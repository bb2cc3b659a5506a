/**
 * Phone numbers: E.164 on the wire and in the database, shown as people write them
 * (domain/contact-links). Without a country code a number is Nigerian.
 */
import { cleanLine, plainDigits } from './text.ts';

/** A prefix from a link or a label. */
const label = /^(?:(?:tel|sms|phone|mobile|call|whatsapp)\s*[:.]|https?:\/\/wa\.me\/)\s*/i;
/** Separators people type; '(0)' is dialled domestically only. */
const separators = /\(0\)|[\s().\-/\u2010-\u2015\u2212]/g;
/** Mobile, or fixed since the change of numbering. */
const nigerian = /^(?:\+?234)?0?((?:[789][01]|20)\d{8})$/;
/** E.164 allows 15 digits at most. */
const foreign = /^\+(?!234)([1-9]\d{7,14})$/;

type Country = readonly [code: string, numbers: string, trunk?: string];
let countries: ReadonlyMap<string, Country> | null = null;

/** Lines of code, numbers and, unless it is '0', the prefix within the country (phone-countries.ts). */
export function judgeCountriesBy(table: string): void {
  const rows = table
    .trim()
    .split('\n')
    .map((line) => line.split(' ') as unknown as Country);
  countries = new Map(rows.map((row) => [row[0], row]));
}

/** '442079460958' or '4402079460958' → '+442079460958'; null: no country has such a number. */
function abroad(digits: string): string | null {
  // Without the table only the length is checked: such numbers were mostly validated before.
  if (!countries) return `+${digits}`;
  for (const length of [1, 2, 3]) {
    const country = countries.get(digits.slice(0, length));
    if (!country) continue;
    const [code, numbers, trunk = '0'] = country;
    const number = digits.slice(length);
    const isOne = (text: string) => RegExp(`^(?:${numbers})$`).test(text);
    if (isOne(number)) return `+${digits}`;
    const dialled = number.startsWith(trunk) ? number.slice(trunk.length) : '';
    return isOne(dialled) ? `+${code}${dialled}` : null;
  }
  return null;
}

const bareOf = (text: string) =>
  plainDigits(cleanLine(text)).replace('\uFF0B', '+').replace(label, '').replace(separators, '');

function readBare(bare: string): string | null {
  const national = nigerian.exec(bare)?.[1];
  if (national) return `+234${national}`;
  const digits = foreign.exec(bare)?.[1];
  if (digits !== undefined) return abroad(digits);
  const [phone, ...others] = dialledAbroad(bare);
  return others.length > 0 ? null : (phone ?? null);
}

/**
 * '00', and '009' from Nigeria, are dialled for the plus: what both may mean is two numbers. Nigeria's
 * own is one: no country with a code in 923 has any as long.
 */
function dialledAbroad(bare: string): string[] {
  const phones = ['00', '009'].flatMap((plus) =>
    bare.startsWith(plus) ? (readBare(`+${bare.slice(plus.length)}`) ?? []) : [],
  );
  const home = phones.filter((phone) => phone.startsWith('+234'));
  return home.length > 0 ? home : phones;
}

/** '0803 123 4567' → '+2348031234567'; null: it cannot be a number. */
export const readPhone = (text: string): string | null => readBare(bareOf(text));

/** Has it two meanings, of which the plus would say one? */
export const isUnclear = (text: string): boolean => dialledAbroad(bareOf(text)).length > 1;

/** Are these two numbers, with something or nothing between them? */
export function holdsTwoPhones(text: string): boolean {
  const digits = bareOf(text).replace(/[^\d+]/g, '');
  return [...digits].some(
    (_, at) => readBare(digits.slice(0, at)) !== null && readBare(digits.slice(at)) !== null,
  );
}
