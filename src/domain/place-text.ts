/**
 * A place in what people paste or share: links of map apps, geo: URIs, degrees, plus codes. What only a
 * server could look up stays text (docs/decisions/0098-places-in-text.md). Pure.
 */
import type { Location } from '#contract/fields.ts';
import { cleanLine } from '#contract/text.ts';
import { endOf, type Found, findAngles, placeOf, plain } from './degrees.ts';
import { locationText, shortLocation, typedLocation } from './location.ts';
import { type PlaceText, readMapLink } from './map-link.ts';
import type { PackageForm } from './package-fields.ts';

/** Characters; longer text is not searched. */
const longest = 4000;

const alphabet = '23456789CFGHJMPQRVWX';
const codeDigit = `[${alphabet}]`;
const fullCode = new RegExp(
  String.raw`(?<![\w+])(${codeDigit}{8})\+(${codeDigit}{2,7})(?![\w+])`,
  'gi',
);
// 'GATE+CO' is none: a code without a digit is as rare as such words are common.
const shortCode = new RegExp(
  String.raw`(?<![\w+])(?=\S*\d)(?:${codeDigit}{4}|${codeDigit}{6})\+${codeDigit}{2,7}(?![\w+])`,
  'i',
);

/**
 * A full plus code (Open Location Code): five pairs of digits in base 20, then a grid of 4 × 5 a digit;
 * the middle of what they leave.
 */
function placeOfCode(found: RegExpMatchArray): Found | null {
  let [lat, lng, height, width] = [-90, -180, 400, 400];
  const digits = [...`${found[1]}${found[2]}`.toUpperCase()].map((one) => alphabet.indexOf(one));
  for (const [at, digit] of digits.entries()) {
    const isPair = at < 10;
    if (!isPair || at % 2 === 0) {
      height /= isPair ? 20 : 5;
      lat += (isPair ? digit : Math.floor(digit / 4)) * height;
    }
    if (!isPair || at % 2 === 1) {
      width /= isPair ? 20 : 4;
      lng += (isPair ? digit : digit % 4) * width;
    }
  }
  const location = placeOf(lat + height / 2, lng + width / 2);
  return location && { location, start: found.index ?? 0, end: endOf(found) };
}

/** With a scheme, or as people write an address without one. */
const linkPattern =
  /(?<![\w@.+/-])(?:geo:|google\.navigation:|[a-z][a-z\d+.-]*:(?:\/\/|\?)|(?:[a-z\d-]+\.)+[a-z]{2,}(?=[/?]))[^\s<>"]+/gi;

/** Without the punctuation and brackets of the sentence around it. */
function bareLink(link: string): string {
  const bare = link.replace(/[.,;:!?]+$/, '');
  return bare.includes('(') ? bare : bare.replace(/[)\]]+$/, '');
}

const shortLink =
  /(?<![\w./@-])(?:https?:\/\/)?(?:www\.)?(?:maps\.app\.goo\.gl|goo\.gl|g\.co|bit\.ly|tinyurl\.com|t\.co|maps\.apple|waze\.com\/ul\/h|osm\.org\/go|omaps\.app|binged\.it|w3w\.co|what3words\.com)\//i;

/** The text without a part of it, its brackets and its commas. */
const beside = (text: string, { start, end }: Pick<Found, 'start' | 'end'>): string =>
  `${text.slice(0, start)} ${text.slice(end)}`
    .replace(/[([{]\s*[)\]}]/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ (?=[,;.])/g, '')
    .replace(/([,;])[,;]+/g, '$1')
    .replace(/^[ ,;:@–)\]}-]+|[ ,;:@–([{-]+$/g, '');

interface Read {
  places: { location: Location; words(): string }[];
  /** A map's link without a place. */
  isUnread: boolean;
}

function placesIn(text: string): Read {
  const said = cleanLine(text);
  const links = [...said.matchAll(linkPattern)].flatMap(({ 0: found, index: start }) => {
    const link = bareLink(found);
    const place = readMapLink(link);
    if (place === undefined) return [];
    const words = () => beside(said, { start, end: start + link.length }) || (place?.words ?? '');
    return [place && { location: place.location, words }];
  });
  const read = plain(said.replace(linkPattern, (link) => ' '.repeat(link.length)));
  const codes = [...read.matchAll(fullCode)].flatMap((code) => placeOfCode(code) ?? []);
  // Digits outside Unicode's first plane are two units, of which one is left.
  const whole = read.length === said.length ? said : read;
  const others = [...findAngles(read), ...codes].map((found) => ({
    location: found.location,
    words: () => beside(whole, found),
  }));
  const places = [...links.filter((place) => place !== null), ...others];
  return { places, isUnread: links.includes(null) };
}

/** About 20 m: spellings of one place differ by what they round. */
const sameDegrees = 0.0002;

const isSame = (a: Location, b: Location) =>
  Math.abs(a.lat - b.lat) < sameDegrees && Math.abs(a.lng - b.lng) < sameDegrees;

const isOne = ([first, ...others]: Read['places']): boolean =>
  others.every((place) => first && isSame(first.location, place.location));

/** Has it a link, a code, or several places, of which no pin can be set? */
export function hasUnread(text: string): boolean {
  if (text.length > longest) return false;
  if (shortLink.test(text) || shortCode.test(text.replace(linkPattern, ' '))) return true;
  const { places, isUnread } = placesIn(text);
  return !isOne(places) || (isUnread && places.length === 0);
}

/** Null: no place in it, or several. */
export function readPlace(text: string): PlaceText | null {
  if (text.length > longest) return null;
  const { places } = placesIn(text);
  const [first] = places;
  return first && isOne(places) ? { location: first.location, words: first.words() } : null;
}

/** How many characters stay at the beginning and at the end. */
function keptOf(before: string, after: string): number {
  const most = Math.min(before.length, after.length);
  let [start, end] = [0, 0];
  while (start < most && before[start] === after[start]) start += 1;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return start + end;
}

/** Is more than one character new? What is typed key by key is left alone: it may not be whole yet. */
export const isPasted = (before: string, after: string): boolean =>
  after.length - keptOf(before, after) > 1;

/** Is it another text, rather than a correction? */
const isReplaced = (before: string, after: string): boolean =>
  3 * keptOf(before, after) < before.length;

/** Is the address no more than the coordinates of its pin, which words may take the place of? */
function isOfPin(address: string, pin: string): boolean {
  const location = typedLocation(pin);
  return location !== null && address === shortLocation(location);
}

const stops = ['pickup', 'delivery'] as const;

/**
 * The form after a change of it. A place pasted into an address becomes its pin, and the words beside
 * it the address; an address that is emptied or replaced takes its pin with it, which would lead the
 * courier to the former one.
 */
export function withPlaces(before: PackageForm, after: PackageForm): PackageForm {
  let form = after;
  for (const stop of stops) {
    const [address, pin] = [`${stop}Address`, `${stop}Location`] as const;
    const place = isPasted(before[address], after[address]) ? readPlace(after[address]) : null;
    if (place) {
      const words = place.words || shortLocation(place.location);
      form = { ...form, [address]: words, [pin]: locationText(place.location) };
      continue;
    }
    const isNamed = after[address] !== '' && isOfPin(before[address], before[pin]);
    const isGone = !isNamed && isReplaced(before[address], after[address]);
    if (isGone && after[pin] === before[pin]) form = { ...form, [pin]: '' };
  }
  return form;
}
