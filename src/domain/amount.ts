/** Amounts as people type them. */
import { limits } from '#contract/fields.ts';
import { cleanLine, plainDigits } from '#contract/text.ts';
import { formatNaira, nairaToKobo } from './money.ts';
import { type Checked, invalid } from './validation.ts';

/** An amount as typed. `doubt`: it may mean `naira`, and the person has to say so. */
export type TypedAmount =
  | { kind: 'none' | 'unreadable' }
  | { kind: 'amount' | 'doubt'; naira: number };

const marks = '₦|NGN|naira|N|#';
const before = new RegExp(String.raw`^([+-]?)(?:${marks})([+-]?)(?=[\d.])`, 'i');
/** '1,500/=' is how receipts end an amount. */
const after = new RegExp(String.raw`(?:\/[=-]|=|(?<![a-z])\.?(?:${marks})\.?|only)+$`, 'i');
const times: Record<string, number> = { k: 1000, thousand: 1000, m: 1e6, million: 1e6 };
/**
 * At most kobo behind the point. Thousands are parted by commas, apostrophes or spaces, of which
 * '500 600' may be two amounts; and no price begins with a zero.
 */
const plain =
  /^(?:0|[1-9]\d*|[1-9]\d{0,2}(?:(?:,\d{3})+|(?:'\d{3})+)|[1-9]\d?(?: \d{3})+|)(?:\.\d{1,2})?$/;
/** A number that 'k' or 'm' may follow. */
const plainFactor = /^\d*(?:\.\d{1,2})?$/;
/** Two amounts: cells of a sheet, or a list. Small raised digits are kobo, or a note. */
const several = /\d *[\t\n\v\f\r]\s*\d|\d\s*[,.]\s+\d|\d\s+[,.]\s*\d|\p{No}/u;
const unlikely = /^0|^(?![1-9]\d{2}(?: \d{3})+$).* /;
/** A point or comma before three digits parts thousands elsewhere. */
const partsThousands = /[., ](?=\d{3}(?:\D|$))/g;

/** '1.500' → 1500, '2.500,00' → 2500, '1,5' → 1.5: the likelier meaning of what is in doubt. */
function likely(text: string, factor: number): number {
  if (factor > 1) return Number(text.replace(',', '.'));
  const whole = text.replace(partsThousands, '');
  const [, start = '', rest] = /^(.*)[.,](\d{1,2})$/.exec(whole) ?? [null, whole];
  return Number(`${start.replace(/[., ]/g, '')}.${rest ?? 0}`);
}

/**
 * '₦2,500.50', 'N2500.5', '2 500/=', '1500 naira' or '2.5k' → naira; '1.500', '1,5' and '2.500,00' are in
 * doubt; '1e3', '0x1F4', 'ten' and two amounts are unreadable. A sign is kept.
 */
export function readAmount(text: string): TypedAmount {
  const digits = plainDigits(text);
  if (several.test(digits)) return { kind: 'unreadable' };
  const typed = cleanLine(digits)
    .normalize('NFKC')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u066B]/g, '.')
    .replace(/[\u066C]/g, ',');
  if (typed === '') return { kind: 'none' };
  const joined = typed
    .replace(/(?<!\d) | (?!\d)/g, '')
    .replace(before, '$1$2')
    .replace(after, '');
  const [, sign = '', number = '', word = ''] =
    /^([+-]?)([\d.,' ]+?)[.,]?(k|m|thousand|million)?$/i.exec(joined) ?? [];
  const factor = times[word.toLowerCase()] ?? 1;
  const signed = (naira: number) =>
    Math.round((sign === '-' ? -1 : 1) * naira * factor * 1e6) / 1e6;
  if (!/\d/.test(number)) return { kind: 'unreadable' };
  if (plain.test(number) && (factor === 1 || plainFactor.test(number))) {
    return { kind: 'amount', naira: signed(Number(number.replace(/[, ']/g, ''))) };
  }
  const naira = unlikely.test(number) ? Number.NaN : signed(likely(number, factor));
  const isLikely = Math.abs(naira) > 0 && Math.abs(naira) <= limits.priceNaira;
  return isLikely ? { kind: 'doubt', naira } : { kind: 'unreadable' };
}

/** For the schemas: undefined if nothing is typed, NaN for what is no amount for certain. */
export function typedPrice(text: string): number | undefined {
  const amount = readAmount(text);
  if (amount.kind === 'none') return undefined;
  return amount.kind === 'amount' ? amount.naira : Number.NaN;
}

/** The question about a doubtful amount; null: no doubt. */
export function amountDoubt(text: string): string | null {
  const amount = readAmount(text);
  if (amount.kind !== 'doubt') return null;
  return `Did you mean ${formatNaira(nairaToKobo(amount.naira))}? You typed ${text.trim()}.`;
}

/** Asks at the field instead of refusing what is in doubt. */
export function askInDoubt<T>(checked: Checked<T>, field: string, text: string): Checked<T> {
  const question = checked.isValid ? null : amountDoubt(text);
  if (checked.isValid || question === null || !(field in checked.fields)) return checked;
  const isOnly = Object.keys(checked.fields).length === 1;
  const message = isOnly ? question : checked.message;
  return invalid(message, { ...checked.fields, [field]: question });
}
