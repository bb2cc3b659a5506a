/** Suggestions for the wizard from the packages that the user sent before. Pure. */

import type { Location } from '#contract/fields.ts';
import { showPhone } from '#domain/contact-links.ts';
import { fromLocalInput, toLocalInput, whenText } from '#domain/dates.ts';
import { locationText } from '#domain/location.ts';
import { formatNaira, koboToNaira } from '#domain/money.ts';
import type { PackageView } from '#domain/overlay.ts';
import type { PackageForm } from '#domain/package-fields.ts';
import { plainText } from '#domain/search.ts';
import { stopNames } from '#domain/stops.ts';

export interface Suggestion {
  label: string;
  /** Besides the label. */
  note?: string;
  fills: Partial<PackageForm>;
}

const shownCount = 4;
const hourMs = 60 * 60_000;

/** The first of each key, in order, except the text already typed. */
function distinct(
  all: readonly Suggestion[],
  keyOf: (one: Suggestion) => string,
  form: PackageForm,
) {
  const seen = new Map<string, Suggestion>();
  for (const one of all) {
    const key = keyOf(one).trim().toLowerCase();
    if (key && !seen.has(key)) seen.set(key, one);
  }
  const isTyped = ({ fills }: Suggestion) =>
    Object.entries(fills).every(([name, text]) => form[name as keyof PackageForm] === text);
  return [...seen.values()].filter((one) => !isTyped(one)).slice(0, shownCount);
}

const matches = (typed: string, ...texts: string[]) =>
  texts.some((text) => plainText(text).includes(plainText(typed.trim())));

const newestFirst = (sent: readonly PackageView[]) =>
  [...sent].sort((a, b) => b.createdAt.localeCompare(a.createdAt));

/** Addresses with their pins; those of the same stop first. */
export function recentPlaces(
  sent: readonly PackageView[],
  stop: 'pickup' | 'delivery',
  form: PackageForm,
): Suggestion[] {
  const placesOf = (from: 'pickup' | 'delivery') =>
    newestFirst(sent).map((view) => {
      const address = view[`${from}Address`];
      const pin = view[`${from}Location`];
      return {
        label: address,
        fills: { [`${stop}Address`]: address, [`${stop}Location`]: pin ? locationText(pin) : '' },
      };
    });
  const all = [...placesOf(stop), ...placesOf(stop === 'pickup' ? 'delivery' : 'pickup')];
  const typed = form[`${stop}Address`];
  const other = form[stop === 'pickup' ? 'deliveryAddress' : 'pickupAddress'];
  // A typed address with a pin of its own needs no earlier one.
  const isWhole = ({ label }: Suggestion) =>
    label === typed.trim() && form[`${stop}Location`] !== '';
  const wanted = all.filter(
    (place) => matches(typed, place.label) && place.label !== other && !isWhole(place),
  );
  return distinct(wanted, ({ label }) => label, form);
}

/** Addresses whose pin is known, newest first. */
export function recentPins(sent: readonly PackageView[]): { label: string; location: Location }[] {
  const pins = new Map<string, Location>();
  for (const view of newestFirst(sent)) {
    for (const stop of stopNames) {
      const location = view[`${stop}Location`];
      const address = view[`${stop}Address`];
      if (location && !pins.has(address)) pins.set(address, location);
    }
  }
  return [...pins].slice(0, shownCount).map(([label, location]) => ({ label, location }));
}

/** By phone number: a name may be spelled in two ways. */
export function recentPeople(sent: readonly PackageView[], form: PackageForm): Suggestion[] {
  const people = newestFirst(sent).map((view) => {
    const { recipientName, recipientEmail } = view;
    const recipientPhone = showPhone(view.recipientPhone ?? '');
    return {
      label: recipientName,
      note: recipientPhone,
      fills: { recipientName, recipientPhone, recipientEmail: recipientEmail ?? '' },
    };
  });
  const known = people.filter(
    ({ label, note }) => note !== '' && matches(form.recipientName, label, note),
  );
  return distinct(known, ({ note = '' }) => note, form);
}

/** Earlier prices, those for the same delivery address first; each names its address. */
export function recentPrices(sent: readonly PackageView[], form: PackageForm): Suggestion[] {
  const isThere = ({ deliveryAddress }: PackageView) => deliveryAddress === form.deliveryAddress;
  const prices = newestFirst(sent)
    .sort((a, b) => Number(isThere(b)) - Number(isThere(a)))
    .map(({ priceOfferKobo, deliveryAddress }) => ({
      label: formatNaira(priceOfferKobo),
      note: deliveryAddress,
      fills: { priceOffer: String(koboToNaira(priceOfferKobo)) },
    }));
  return distinct(prices, ({ label }) => label, form);
}

/** Days from today and hour of the day. */
const times = {
  pickupDate: [
    [0, 16],
    [1, 9],
  ],
  deliveryDate: [
    [0, 18],
    [1, 12],
    [1, 18],
  ],
} as const;

/** The next two, for the delivery after the pickup, and 'Now' for a pickup: `now` is the word for it. */
export function timeSuggestions(
  name: keyof typeof times,
  form: PackageForm,
  nowMs: number,
  now: string,
): Suggestion[] {
  const today = toLocalInput(new Date(nowMs).toISOString());
  const later: { label: string; at: string }[] = times[name].map(([days, hour]) => {
    const day = toLocalInput(new Date(nowMs + days * 24 * hourMs).toISOString()).slice(0, 10);
    const at = `${day}T${String(hour).padStart(2, '0')}:00`;
    return { label: whenText(fromLocalInput(at), nowMs) ?? at, at };
  });
  const earliest = name === 'pickupDate' || form.pickupDate < today ? today : form.pickupDate;
  const fits = later.filter(({ at }) => at > earliest).slice(0, 2);
  const all = name === 'pickupDate' ? [{ label: now, at: today }, ...fits] : fits;
  return all.map(({ label, at }) => ({ label, fills: { [name]: at } }));
}
