/**
 * Content shared by another app (the manifest's share_target) as fields of a new package.
 * Unrecognised text becomes the description, links the notes. Pure.
 */
import * as v from 'valibot';
import { emailSchema, limits, phoneSchema } from '#contract/fields.ts';
import { cleanLine } from '#contract/text.ts';
import { locationText } from './location.ts';
import type { PackageForm } from './package-fields.ts';
import { readPlace } from './place-text.ts';

/** The share target's query; '' where the other app gave nothing. */
export interface Shared {
  title: string;
  text: string;
  url: string;
}

export type SharedFields = Partial<PackageForm>;

/** Characters; longer text is cut. */
const longest = 4000;

type LabelledField = 'pickupAddress' | 'deliveryAddress' | 'recipientName';

/** 'Deliver to: …', as people and shops write it. */
const labels: readonly [RegExp, LabelledField][] = [
  [/^(?:pick[- ]?up(?: from| address)?|from|collect from)\s*[:–-]\s*/i, 'pickupAddress'],
  [
    /^(?:deliver(?:y)?(?: to| address)?|drop[- ]?off|to|address|location)\s*[:–-]\s*/i,
    'deliveryAddress',
  ],
  [/^(?:name|recipient|receiver|customer)\s*[:–-]\s*/i, 'recipientName'],
];

const links = /\bhttps?:\/\/\S+/gi;
const email = /[^\s@<>"',;:]+@[^\s@<>"',;:]+\.[a-z]{2,}/i;
// With a country code, or Nigerian with its zero; prices and dates have neither.
const phone = /(?<![\d.])(?:(?:\+|00)\d|0[7-9])(?:[\s().-]*\d){8,13}(?!\d)/;
const phoneLabel =
  /(?:^|[\s(])(?:phone|tel|mobile|cell|call|whats\s?app|number|no)\.?\s*[:–-]?\s*$/i;
const houseNumber = /(?:^|[\s,(])(?:no\.?\s*|plot\s*|block\s*|house\s*)?\d+[a-z]?(?=[\s,/])/i;
const street =
  /\b(?:street|road|avenue|close|crescent|lane|way|drive|estate|quarters|layout|junction|market|st|rd|ave|cres)\b/i;

function isAddress(line: string): boolean {
  return (
    line.length <= limits.address &&
    street.test(line) &&
    (houseNumber.test(line) || line.includes(','))
  );
}

/** At most `length`, without splitting an emoji. */
const cut = (text: string, length: number) =>
  text
    .slice(0, length)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd();

/** The lines without duplicates: many apps repeat the title or link in the text. */
function linesOf({ title, text, url }: Shared): string[] {
  const [first, middle, last] = [title, text, url].map((part) => cut(part, longest));
  const said = [first, ...(middle ?? '').split(/\r?\n/), last].map((line = '') => cleanLine(line));
  return said.filter(
    (line, at) =>
      line !== '' &&
      !said.some(
        (other, place) => place !== at && other.includes(line) && (other !== line || place < at),
      ),
  );
}

function withoutFields(line: string, fields: SharedFields): string {
  let rest = line;
  const address = email.exec(rest)?.[0];
  const read = v.safeParse(emailSchema, address);
  if (address && fields.recipientEmail === undefined && read.success) {
    fields.recipientEmail = read.output;
    rest = rest.replace(address, ' ');
  }
  const found = phone.exec(rest);
  const number = found ? cleanLine(found[0]) : '';
  if (found && fields.recipientPhone === undefined && v.is(phoneSchema, number)) {
    fields.recipientPhone = number;
    const before = rest.slice(0, found.index).replace(phoneLabel, ' ');
    rest = `${before} ${rest.slice(found.index + found[0].length)}`;
  }
  return rest.replace(/\s+/g, ' ').replace(/^[\s,;:–-]+|[\s,;:–-]+$/g, '');
}

/** The text after a label, and its field; null without a label, or if the field is taken. */
function labelled(line: string, fields: SharedFields): [LabelledField, string] | null {
  for (const [label, field] of labels) {
    const said = line.replace(label, '');
    const limit = field === 'recipientName' ? limits.name : limits.address;
    if (said !== line && said !== '' && said.length <= limit && fields[field] === undefined) {
      return [field, said];
    }
  }
  return null;
}

/** The form fields found in the shared text. */
export function readShared(shared: Shared): SharedFields {
  const fields: SharedFields = {};
  const rest: string[] = [];
  const notes: string[] = [];
  for (const text of linesOf(shared)) {
    const place = readPlace(text);
    const said = place?.words ?? text;
    notes.push(...(said.match(links) ?? []));
    const line = withoutFields(said.replace(links, ' '), fields);
    const found = line === '' ? null : labelled(line, fields);
    const pin = found?.[0] === 'pickupAddress' ? 'pickupLocation' : 'deliveryLocation';
    if (place && fields[pin] === undefined) fields[pin] = locationText(place.location);
    if (line === '') continue;
    const isPlace = place !== null && line.length <= limits.address;
    if (found) fields[found[0]] = found[1];
    else if (fields.deliveryAddress === undefined && (isPlace || isAddress(line))) {
      fields.deliveryAddress = line;
    } else rest.push(line);
  }
  // Map apps share the name of a place on a line of its own.
  const [name = ''] = rest;
  const isNamed = fields.deliveryLocation !== undefined && fields.deliveryAddress === undefined;
  if (isNamed && name !== '' && name.length <= limits.address) {
    fields.deliveryAddress = name;
    rest.shift();
  }
  const description = cut(rest.join('\n'), limits.description);
  if (description) fields.description = description;
  const places = cut([...new Set(notes)].join('\n'), limits.notes);
  if (places) fields.notes = places;
  return fields;
}
