/** Searches number, names, addresses and status: all words of the query must occur. Pure. */
import type { Package } from './package.ts';
import { statusLabel } from './status.ts';
import { displayName } from './user.ts';

const notPlain = /[^ -~\s]/;
const marks = /\p{Mark}/gu;
const hooked: Record<string, string> = { ɓ: 'b', ɗ: 'd', ƙ: 'k', ƴ: 'y', '’': "'", ʼ: "'" };
const hookedLetters = /[ɓɗƙƴ’ʼ]/g;

/** Strips case, accents and Hausa hooks: 'Ƙofar Màta' → 'kofar mata'. */
export function plainText(text: string): string {
  const lower = text.toLowerCase();
  // Most text is plain already, and normalization is ten times the work.
  if (!notPlain.test(lower)) return lower;
  return lower
    .normalize('NFD')
    .replace(marks, '')
    .replace(hookedLetters, (letter) => hooked[letter] ?? letter);
}

/** 'KY-000042' also matches 'ky000042' and 'ky42'. */
function numberForms(packageId: string): string {
  const joined = packageId.replace(/-/g, '');
  return `${packageId} ${joined} ${joined.replace(/^(\D*)0+/, '$1')}`;
}

const found = new WeakMap<Package, string>();

/** The searchable text of a package; cached per package object. */
export function searchText(pkg: Package): string {
  const known = found.get(pkg);
  if (known !== undefined) return known;
  const parts = [
    numberForms(pkg.packageId),
    pkg.recipientName,
    displayName(pkg.sender),
    pkg.courier === null ? '' : displayName(pkg.courier),
    pkg.pickupAddress,
    pkg.deliveryAddress,
    statusLabel(pkg.status),
    pkg.description,
  ];
  // A query has no line breaks, so no word matches across two parts.
  const text = plainText(parts.join('\n'));
  found.set(pkg, text);
  return text;
}

/** 'Musa Zoo' → ['musa', 'zoo'] */
export function searchWords(query: string): string[] {
  return plainText(query).split(/\s+/).filter(Boolean);
}

/** Packages that contain every word; all for an empty query. */
export function searchPackages<P extends Package>(all: readonly P[], query: string): readonly P[] {
  const words = searchWords(query);
  if (words.length === 0) return all;
  return all.filter((pkg) => {
    const text = searchText(pkg);
    return words.every((word) => text.includes(word));
  });
}
