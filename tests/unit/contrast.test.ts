/** Contrast of every pair of colours on a screen, light and dark: WCAG 2.2, 1.4.3 and 1.4.11. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

type Palette = Map<string, string>;

function coloursIn(css: string, isNight = false): Palette {
  const found = css.matchAll(
    /--([a-z-]+): (?:light-dark\()?(#[0-9a-f]{6})(?:, (#[0-9a-f]{6})\))?;/g,
  );
  return new Map(
    [...found].map(([, name = '', day = '', night = day]) => [name, isNight ? night : day]),
  );
}

const [both = '', sun = ''] = readFileSync('src/ui/tokens.css', 'utf8').split(':root[data-sun]');
const light = coloursIn(both);
const palettes: Record<string, Palette> = {
  light,
  dark: coloursIn(both, true),
  sun: new Map([...light, ...coloursIn(sun)]),
};
/** Contrast required of text: AA, and AAA in sun mode. */
const wanted = (name: string) => (name === 'sun' ? 7 : 4.5);

/** WCAG's relative luminance of '#rrggbb'. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(palette: Palette, one: string, other: string): number {
  const [lower = 0, higher = 0] = [one, other]
    .map((name) => luminance(palette.get(name) ?? `no colour ${name}`))
    .sort((a, b) => a - b);
  return (higher + 0.05) / (lower + 0.05);
}

/** Text on a background. */
const textPairs: [ink: string, grounds: string[]][] = [
  ['ink', ['page', 'surface', 'sunken', 'primary-faint']],
  ['ink-soft', ['page', 'surface', 'sunken']],
  ['link', ['page', 'surface', 'primary-faint', 'primary-faint-strong']],
  ['on-primary', ['primary', 'primary-strong']],
  ['on-accent', ['accent', 'accent-strong', 'marigold']],
  ['on-brand', ['brand', 'brand-deep']],
  ['on-brand-soft', ['brand', 'brand-deep']],
  ['good', ['page', 'surface', 'good-faint']],
  ['warn', ['warn-faint']],
  ['bad', ['page', 'surface', 'bad-faint']],
  ['surface', ['bad']],
  ['on-toast', ['toast']],
];

/** Recognized by shape: outlines of controls, icons, the focus ring. */
const shapePairs: [shape: string, grounds: string[]][] = [
  ['control-line', ['page', 'surface']],
  ['ring', ['page', 'surface', 'sunken']],
  ['marigold', ['brand']],
  ['primary', ['page', 'surface', 'primary-faint']],
  ['bad', ['page', 'surface']],
  ['toast-good', ['toast']],
  ['toast-bad', ['toast']],
  ['toast-plain', ['toast']],
];

const rows = (pairs: [string, string[]][]) =>
  Object.entries(palettes).flatMap(([name, palette]) =>
    pairs.flatMap(([one, grounds]) => grounds.map((ground) => ({ name, palette, one, ground }))),
  );

describe('contrast', () => {
  it.each(rows(textPairs))('$name: text $one on $ground', ({ name, palette, one, ground }) => {
    expect(contrast(palette, one, ground)).toBeGreaterThanOrEqual(wanted(name));
  });

  it.each(rows(shapePairs))('$name: shape $one on $ground', ({ palette, one, ground }) => {
    expect(contrast(palette, one, ground)).toBeGreaterThanOrEqual(3);
  });
});
