/** The data of every side: packages as the product's server sends them. */
import type { WirePackage } from '#contract/package.ts';
import { type Package, packageToWire } from '#domain/package.ts';
import { aPackage, ids, party } from '#tests/builders/package.ts';

/** A UUID per number, in random-like order, as in the product. */
export function packageId(number: number): string {
  const spread = (number * 2_654_435_761) % 4_294_967_296;
  const front = spread.toString(16).padStart(8, '0');
  return `${front}-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

const firstMs = Date.parse('2026-11-01T00:00:00.000Z');
const at = (minutes: number) => new Date(firstMs + minutes * 60_000).toISOString();
const names = ['Aisha', 'Musa', 'Fatima', 'Ibrahim', 'Zainab', 'Sani', 'Hauwa'];
const nameOf = (number: number) => names[number % names.length] ?? '';

/** Out of a hundred packages, 40 are on offer, 20 in transit, 32 delivered, 8 cancelled. */
function statusOf(number: number): Package['status'] {
  const part = number % 100;
  if (part < 40) return 'pending';
  if (part < 60) return 'in-transit';
  return part < 92 ? 'delivered' : 'cancelled';
}

const numbered = (id: string, number: number) =>
  `${id.slice(0, -4)}${String(number % 400).padStart(4, '0')}`;

export function row(number: number, version = 1): Package {
  const status = statusOf(number);
  const isTaken = status === 'in-transit' || status === 'delivered';
  return aPackage({
    id: packageId(number),
    packageId: `KY-${String(number).padStart(6, '0')}`,
    version,
    sender: party(numbered(ids.sender, number), nameOf(number)),
    courier: isTaken ? party(numbered(ids.courier, number), nameOf(number + 3)) : null,
    recipientName: `Recipient ${number}`,
    recipientPhone: `0803 ${1_000_000 + number}`,
    notes: version === 1 ? null : `Changed to version ${version}, call before you come.`,
    pickupAddress: `${number} Zoo Road, Kano`,
    deliveryAddress: `${number} Ibrahim Taiwo Road, Sabon Gari, Kano`,
    priceOfferKobo: 50_000 + (number % 60) * 5_000,
    status,
    createdAt: at(number),
    updatedAt: at(number + version),
  });
}

export function rows(count: number, version = 1): Package[] {
  return Array.from({ length: count }, (_, index) => row(index + 1, version));
}

export const wireRow = (number: number): WirePackage => ({
  ...packageToWire(row(number)),
  paymentMethod: 'cash',
});

export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** A page's measurements, by name, for the runner. */
export type Measurements = Record<string, (options: never) => Promise<unknown>>;

/** Starts a new task, so that no deferred work falls into the next measurement. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve();
    port2.postMessage(null);
  });
}
