/** Pairs of degrees in the spellings that people, apps and phones write. Pure. */
import * as v from 'valibot';
import { type Location, locationSchema } from '#contract/fields.ts';
import { plainDigits } from '#contract/text.ts';

/** Null: off the globe, or 0, 0, which is how apps write that they know no place. */
export function placeOf(lat: number, lng: number): Location | null {
  const read = v.safeParse(locationSchema, { lat, lng });
  return read.success && (lat !== 0 || lng !== 0) ? read.output : null;
}

/** By character, so that what is found stands at the same place in the text itself. */
const signs: Record<string, string> = { '−': '-', '–': '-', '،': ',', '٫': '.' };
for (const like of 'º˚') signs[like] = '°';
for (const like of '′’‘´`ʹ') signs[like] = "'";
for (const like of '″”“') signs[like] = '"';

export const plain = (text: string): string =>
  plainDigits(text)
    .replace(/[\uFF01-\uFF5E]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[−–،٫º˚′’‘´`ʹ″”“]/g, (sign) => signs[sign] ?? sign)
    // '12,0022': a decimal comma, as no thousands have four digits, and behind degrees or minutes.
    .replace(/(?<![\d.])(\d{1,3}),(?=\d{4,}(?![\d.]))/g, '$1.')
    .replace(/(?<=[°']\s?\d{1,2}),(?=\d)/g, '.');

const number = String.raw`\d{1,3}(?:\.\d+)?(?!\d|\.\d)`;
const whole = String.raw`\d{1,3}(?![\d.])`;
const degreeSign = String.raw`\s*(?:°|d(?:eg(?:rees)?)?\b)`;
const minuteSign = String.raw`\s*(?:'(?!')|m(?:in(?:utes)?)?\b)`;
/** A bare 's' behind minutes in letters only: of 24.5 S it is the side. */
const secondSign = String.raw`\s*(?:"|''|sec(?:onds)?\b|(?<=m[a-z]*\s*[\d.]+)s\b)`;
const fraction = String.raw`\s*(?<min>${number})(?!${degreeSign})`;
const seconds = String.raw`\s*(?<sec>${number})(?!${degreeSign}|${minuteSign})(?:${secondSign})?`;
const letter = '[NSEW]|north|south|east|west';
const label = 'lat(?:itude)?|long?(?:itude)?|lng';
const start = String.raw`(?:(?<![\w.])|(?<=(?:^|[^a-z])(?:${letter}|${label})\.?))(?<sign>[+-]?)`;
/** 12.0022, 12.0022°, 12°0.132', 12°0'7.92" */
const marked = `(?<deg>${number})(?:(?<mark>${degreeSign})(?:${fraction}(?:${minuteSign}(?:${seconds})?)?)?)?`;
/** 12 00 07.92, 12:00.132; read only between letters, as most such numbers are something else. */
const spaced = String.raw`(?<deg>${whole})[\s:]+(?<min>${number})(?:[\s:]+(?<sec>${number}))?`;
const after = String.raw`["\s]*(?<side>${letter})(?![a-z\d])`;

const angles = [
  start + marked,
  String.raw`${start + spaced}(?=\s*(?:${letter})\b)`,
  String.raw`(?<=\b(?:${letter}|${label})[\s:=.]*)${start}${spaced}`,
].map((source) => new RegExp(source, 'gi'));

/** 'N ', 'Lat: ', '"lng":'; of 'lon, lat: ' the first, which the first number is. */
const before = new RegExp(
  String.raw`(?<![a-z])(?<side>${letter}|${label})(?:["\s]*[,;/&_-]?["\s]*(?:${label}))?["\s:=.([{]*$`,
  'i',
);
/** Formats with the longitude first: well-known text, and GeoJSON, which has the comma. */
const lngFirst = /(?:\bPOINT(?: ZM?| M)? ?|\b[Pp]oint)\($/;
const lngFirstWithComma = /\bcoordinates"?\s*:\s*\[\s*$/;
const behind = new RegExp(`^${after}`, 'i');
const between = new RegExp(
  String.raw`^(?:${after})?\s*(?<comma>[,;/&]?)["\s]*(?:(?<next>${letter}|${label})["\s:=.]*)?$`,
  'i',
);
/** Between words it may be of a street or a block: 'Block E 12.0022, 8.5919'. */
const looseBefore = new RegExp(String.raw`\w\s+(?:${letter})\s+$`, 'i');
const looseBehind = new RegExp(String.raw`^\s+(?:${letter})\s+\w`, 'i');
const isLetter = new RegExp(`^(?:${letter})$`, 'i');

export interface Found {
  location: Location;
  /** Where the pair begins in the text. */
  start: number;
  end: number;
}

export const endOf = (found: RegExpMatchArray) => (found.index ?? 0) + found[0].length;

/** Null: not of an angle, or no more exact than the number of a house. */
function degreesOf(found: RegExpMatchArray, sides: readonly string[]): number | null {
  const { sign, deg = '', mark, min, sec } = found.groups ?? {};
  const decimals = deg.split('.')[1]?.length ?? 0;
  const isExact = mark ?? min ?? decimals >= (sides.length > 0 ? 1 : 3);
  const isWhole = (decimals === 0 || !min) && (!min?.includes('.') || !sec);
  const [minutes, rest] = [Number(min ?? 0), Number(sec ?? 0)];
  if (!isExact || !isWhole || minutes >= 60 || rest >= 60) return null;
  const letters = sides.filter((side) => isLetter.test(side));
  const signs = new Set<string>(letters.map((side) => (/^[sw]/i.test(side) ? '-' : '+')));
  if (sign) signs.add(sign);
  // '-12 N', or seconds with an 'S' that may be the south.
  if (signs.size > 1 || found[0].endsWith('S')) return null;
  const size = Number(deg) + minutes / 60 + rest / 3600;
  return signs.has('-') ? -size : size;
}

const isLng = (side: string) => /^(?:[ew]|lo|ln)/i.test(side);

interface Sided {
  sides: [ofOne: string[], ofOther: string[]];
  start: number;
  end: number;
}

/** The letters and labels of two angles; null: not beside each other, or a letter may be of either. */
function sidesOf(text: string, one: RegExpMatchArray, other: RegExpMatchArray): Sided | null {
  const gap = text.slice(endOf(one), other.index);
  const found = between.exec(gap)?.groups;
  if (!found) return null;
  const [from, to] = [one.index ?? 0, endOf(other)];
  const [head, rest] = [text.slice(Math.max(0, from - 40), from), text.slice(to, to + 20)];
  const [lead, tail] = [before.exec(head), behind.exec(rest)];
  const isTurned = (found.comma ? lngFirstWithComma : lngFirst).test(head);
  let first = lead?.groups?.side ?? (isTurned ? 'lng' : '');
  const last = tail?.groups?.side ?? '';
  let [own = '', their = ''] = [found.side, found.next];
  // In 'N 12.0022 E 8.5919' and '12.0022 E8.5919' the letter E belongs to the second number.
  const isTheirs = !found.comma && !last && (first !== '' || /^\s.*\S$/.test(gap));
  if (own && !their && isTheirs) [own, their] = ['', own];
  if (own && last && isLetter.test(first)) first = '';
  const [ofOne, ofOther] = [[first, own].filter(Boolean), [their, last].filter(Boolean)];
  if (ofOne.length + ofOther.length === 1) {
    const isLoose = first ? looseBefore.test(head) : last !== '' && looseBehind.test(rest);
    if (isLoose || (own && !found.comma && /^\s.*\s$|^\S+$/.test(gap))) return null;
  }
  const start = first && lead ? from - head.length + lead.index : from;
  return { sides: [ofOne, ofOther], start, end: to + (tail?.[0].length ?? 0) };
}

/** Two angles beside each other: latitude first, or as their letters say. */
function pairOf(text: string, one: RegExpMatchArray, other: RegExpMatchArray): Found | null {
  const sided = sidesOf(text, one, other);
  if (!sided) return null;
  const { sides, start, end } = sided;
  const [a, b] = [degreesOf(one, sides[0]), degreesOf(other, sides[1])];
  // One axis twice, or two for one number.
  const axes = new Set([...sides[0].map(isLng), ...sides[1].map((side) => !isLng(side))]);
  if (a === null || b === null || axes.size > 1) return null;
  const location = axes.has(true) ? placeOf(b, a) : placeOf(a, b);
  return location && { location, start, end };
}

/** Every pair of angles. */
export function findAngles(text: string): Found[] {
  return angles.flatMap((pattern) => {
    const all = [...text.matchAll(pattern)];
    return all.flatMap((one, at) => {
      const other = all[at + 1];
      return (other && pairOf(text, one, other)) ?? [];
    });
  });
}
