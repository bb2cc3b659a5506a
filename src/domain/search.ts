/**
 * Finding packages by what people remember of them: number, names, addresses, status. Pure. What is
 * typed is split into words, and a package is found if it has them all, each anywhere.
 */
import type { Package } from './package.ts';
import { statusLabel } from './status.ts';
import { displayName } from './user.ts';

const notPlain = /[^ -~\s]/;
const marks = /\p{Mark}/gu;
const hooked: Record<string, string> = { ɓ: 'b', ɗ: 'd', ƙ: 'k', ƴ: 'y', '’': "'", ʼ: "'" };
const hookedLetters = /[ɓɗƙƴ’ʼ]/g;

/** Without case, accents and the hooks of Hausa: 'Ƙofar Màta' → 'kofar mata'. */
export function plainText(text: string): string {
  const lower = text.toLowerCase();
  // Most of it is plain already, and taking letters apart is ten times the work.
  if (!notPlain.test(lower)) return lower;
  return lower
    .normalize('NFD')
    .replace(marks, '')
    .replace(hookedLetters, (letter) => hooked[letter] ?? letter);
}

/** 'KY-000042' is found by 'ky000042' and 'ky42' too. */
function numberForms(packageId: string): string {
  const joined = packageId.replace(/-/g, '');
  return `${packageId} ${joined} ${joined.replace(/^(\D*)0+/, '$1')}`;
}

const found = new WeakMap<Package, string>();

/** All that a package is found by, in plain text; made once per package as it is. */
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
  // A line break cannot be typed, so no word is found across two parts.
  const text = plainText(parts.join('\n'));
  found.set(pkg, text);
  return text;
}

/** 'Musa  Zoo' → ['musa', 'zoo'] */
export function searchWords(query: string): string[] {
  return plainText(query).split(/\s+/).filter(Boolean);
}

/** Those that have every word; all where there is none. */
export function searchPackages<P extends Package>(all: readonly P[], query: string): readonly P[] {
  const words = searchWords(query);
  if (words.length === 0) return all;
  return all.filter((pkg) => {
    const text = searchText(pkg);
    return words.every((word) => text.includes(word));
  });
}
