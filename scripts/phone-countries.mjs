/**
 * Writes src/contract/phone-countries.ts from libphonenumber-js: the numbers of each country code, as
 * that library judges them with its smallest metadata. Run it after an update of the library;
 * tests/unit/phone.test.ts compares the two.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';

/** @param {string} path */
const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8');
/** @type {{ country_calling_codes: Record<string, string[]>, countries: any, nonGeographic: any }} */
const metadata = JSON.parse(read('../node_modules/libphonenumber-js/metadata.min.json'));

/** Nigeria's numbers are told apart everywhere, without this table. */
const own = '234';

/** @typedef {any[]} Plan */
/** @type {[code: string, plans: Plan[]][]} */
const plansOf = Object.entries(metadata.country_calling_codes).map(([code, countries]) => [
  code,
  countries.map((country) => metadata.countries[country]),
]);
/** @type {[code: string, plans: Plan[]][]} */
const ofNoCountry = Object.entries(metadata.nonGeographic).map(([code, plan]) => [code, [plan]]);

/** @param {string[]} patterns */
const oneOf = (patterns) => new RegExp(`^(?:${patterns.join('|')})$`);

/** Those of the whole pattern: not within brackets. @param {string} pattern */
function alternativesOf(pattern) {
  const parts = [''];
  let depth = 0;
  for (const sign of pattern) {
    if (sign === '(' || sign === '[') depth += 1;
    if (sign === ')' || sign === ']') depth -= 1;
    if (sign === '|' && depth === 0) parts.push('');
    else parts[parts.length - 1] += sign;
  }
  return parts;
}

/**
 * Without the alternatives whose numbers the others have, too: of countries that share a code, mostly.
 * @param {string[]} patterns
 */
function distinct(patterns) {
  let kept = [...new Set(patterns)];
  for (const pattern of [...kept].reverse()) {
    const others = kept.filter((other) => other !== pattern);
    const samples = fc.sample(fc.stringMatching(oneOf([pattern])), { numRuns: 3000, seed: 1 });
    if (others.length > 0 && samples.every((sample) => oneOf(others).test(sample))) kept = others;
  }
  return kept;
}

const lines = [...plansOf, ...ofNoCountry]
  .filter(([code]) => code !== own)
  .map(([code, plans]) => {
    const numbers = distinct(plans.flatMap((plan) => alternativesOf(plan[2]))).join('|');
    const trunk = plans[0]?.[5] || '-';
    return trunk === '0' ? `${code} ${numbers}` : `${code} ${numbers} ${trunk}`;
  });

const file = new URL('../src/contract/phone-countries.ts', import.meta.url);
const before = readFileSync(file, 'utf8');
const table = /String\.raw`[^`]*`/;
writeFileSync(
  file,
  before.replace(table, () => `String.raw\`\n${lines.join('\n')}\n\``),
);
