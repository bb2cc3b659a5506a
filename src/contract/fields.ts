/**
 * Schemas of single fields and the messages of their refusals, which API clients get in `fields`.
 * The app's forms check first, with their own messages (domain/validation).
 */
import * as v from 'valibot';
import { holdsTwoPhones, isUnclear, readPhone } from './phone.ts';
import { cleanLine, cleanParagraph } from './text.ts';

/** In characters. Longer input is a mistake or an attack. */
export const limits = {
  name: 80,
  address: 300,
  description: 1000,
  notes: 1000,
  email: 254,
  phone: 24,
  recipientNote: 300,
  password: 200,
  priceNaira: 10_000_000,
} as const;

// Joiners, marks and fillers belong to emoji and scripts; alone they are invisible.
const blank = /^[\s\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Unlike `v.transform`, one of a type that the API's document passes over (openapi/json-schema). */
function cleaned(clean: (text: string) => string) {
  return Object.assign(v.transform(clean), { type: 'clean' as 'transform' });
}

/** Cleaned, not refused: nobody can see what to type again. */
function cleanText(maxLength: number, clean: (text: string) => string) {
  return v.pipe(
    v.string('Must be text.'),
    cleaned(clean),
    v.maxLength(maxLength, `Must be at most ${maxLength} characters.`),
  );
}

/** True for invisible text too. */
export const isBlank = (text: string) => blank.test(text);

const notBlank = v.check((text: string) => !isBlank(text), 'Must not be empty.');

/** One line of text, cleaned (./text), not empty. */
export function line(maxLength: number) {
  return v.pipe(cleanText(maxLength, cleanLine), v.nonEmpty('Must not be empty.'), notBlank);
}

/** Text that may have line breaks, cleaned, not empty. */
export function paragraph(maxLength: number) {
  return v.pipe(cleanText(maxLength, cleanParagraph), v.nonEmpty('Must not be empty.'), notBlank);
}

/** Optional on the wire: null, '' and blank text become null. */
export function noneOr<const S extends v.GenericSchema<string, string>>(schema: S) {
  const none = v.pipe(
    v.string(),
    cleaned(cleanParagraph),
    v.regex(/^\s*$/),
    v.transform(() => null),
  );
  // Report why the value is invalid, not that it is not blank.
  const about = ({ issues }: v.UnionIssue<v.BaseIssue<unknown>>) =>
    issues?.[1]?.message ?? 'Must be text.';
  return v.nullable(v.union([none, schema], about));
}

export const idSchema = v.pipe(
  v.string('Must be an id.'),
  v.uuid('Must be a UUID.'),
  v.toLowerCase(),
);

/** Invisible characters (joiners, fillers), which no address contains. */
const unseen = /\p{Default_Ignorable_Code_Point}/u;

export const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** 'mailto:Amina@kaya.test?subject=Hi' → 'amina@kaya.test', in one spelling of each letter. */
const cleanEmail = (text: string) =>
  cleanLine(text)
    .replace(/^mailto:\s*([^?]*).*$/i, '$1')
    .toLowerCase()
    // Behind it: a small letter may have a code of its own where the capital has none.
    .normalize('NFC');

/** Lower-cased; a basic pattern. */
export const emailSchema = v.pipe(
  cleanText(limits.email, cleanEmail),
  v.regex(emailPattern, 'Please enter a valid email address.'),
  v.check((text) => !unseen.test(text), 'Must not contain hidden characters. Type it again.'),
);

export const noPhone = 'Please enter a valid phone number, for example 0803 123 4567.';
export const unclearPhone =
  'Please begin with + and the country code, for example +234 803 123 4567.';
export const twoPhones = 'Please enter one number, for example 0803 123 4567.';

/** Accepts every spelling that ./phone reads; outputs E.164. */
export const phoneSchema = v.pipe(
  v.string('Must be text.'),
  v.check((text) => text.length > 100 || !holdsTwoPhones(text), twoPhones),
  v.check((text) => text.length > 100 || !isUnclear(text), unclearPhone),
  v.transform((text) => (text.length > 100 ? null : readPhone(text))),
  v.string(noPhone),
);

const zoned = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;
const unzoned = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?)?$/;

/** Does the calendar have this day? `Date.parse` would roll 30 February over into March. */
function isCalendarDay(text: string): boolean {
  const [year, month, day] = text.slice(0, 10).split('-').map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** ms since 1970, or NaN; a time without a zone is Nigeria's (UTC+1, no DST). */
function readDateTime(text: string): number {
  const isZoned = zoned.test(text);
  if (!(isZoned || unzoned.test(text)) || !isCalendarDay(text)) return Number.NaN;
  if (isZoned) return Date.parse(text);
  return Date.parse(text.length === 10 ? `${text}T00:00:00+01:00` : `${text}+01:00`);
}

const yearOf = (ms: number) => new Date(ms).getUTCFullYear();

const momentSince = (year: number) =>
  v.pipe(
    v.string('Must be a date and time.'),
    v.trim(),
    v.check((text) => {
      const ms = readDateTime(text);
      return !Number.isNaN(ms) && yearOf(ms) >= year && yearOf(ms) < 2200;
    }, 'Must be a date and time, for example 2026-11-21T14:30:00Z.'),
    v.transform((text) => new Date(readDateTime(text)).toISOString()),
  );

/** A moment: accepts any ISO 8601 form, outputs `YYYY-MM-DDTHH:mm:ss.sssZ`. */
export const dateTimeSchema = momentSince(2000);
/** By a phone's clock, which an empty battery sets back to 1970, or to 1969 in UTC. */
export const phoneTimeSchema = momentSince(1969);

/** At most two decimals, within floating-point error. */
export function hasWholeKobo(naira: number): boolean {
  return Math.abs(naira * 100 - Math.round(naira * 100)) < 1e-6;
}

/** Naira with at most two decimals, as on the wire; the domain uses integer kobo. */
export const priceSchema = v.pipe(
  v.number('Must be an amount, such as 1500 or 2500.50.'),
  v.minValue(0.01, 'Must be more than zero.'),
  v.maxValue(limits.priceNaira, 'Must be at most ₦10,000,000.'),
  v.check(hasWholeKobo, 'Must have at most two decimals.'),
);

/** Naira in a response: more is no amount, and would not be exact in kobo. */
export const nairaSchema = v.pipe(
  v.number(),
  v.check((naira) => Math.abs(naira) < 1e12),
);

const noPlace = 'Must be a place on the map, for example { "lat": 12.0022, "lng": 8.5919 }.';

/** 6 decimals of a degree are 0.1 m; `+ 0` turns -0, which JSON lacks, into 0. */
const toTenthOfMetre = (degrees: number) => Math.round(degrees * 1e6) / 1e6 + 0;

function degrees(most: number) {
  const outside = `Must be from -${most} to ${most} degrees.`;
  return v.pipe(
    v.number(noPlace),
    v.minValue(-most, outside),
    v.maxValue(most, outside),
    v.transform(toTenthOfMetre),
  );
}

/** A place in a request: degrees (WGS 84), rounded to 0.1 m. */
export const locationSchema = v.strictObject({ lat: degrees(90), lng: degrees(180) }, noPlace);
export type Location = v.InferOutput<typeof locationSchema>;

/** A place in a response. */
export const knownLocationSchema = v.object({ lat: v.number(), lng: v.number() });

/** A row's version, in an integer of PostgreSQL. */
export const versionSchema = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(0),
  v.maxValue(2_147_483_647),
);
