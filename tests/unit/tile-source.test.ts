import { describe, expect, it } from 'vitest';
import { isOfMap, type MapFiles, tileUrlsOf } from '#domain/tile-source.ts';

const app = 'https://kaya.example';
const files = (over: Partial<MapFiles>): MapFiles => ({
  ...{ tileUrl: null, styleUrl: null, sources: [] },
  ...over,
});

describe('the URLs of a template', () => {
  it('are one for each subdomain, without placeholders the library does not know', () => {
    expect(tileUrlsOf('https://{s}.t.example/{z}/{x}/{y}{r}.png')).toEqual(
      ['a', 'b', 'c'].map((subdomain) => `https://${subdomain}.t.example/{z}/{x}/{y}.png`),
    );
    expect(tileUrlsOf('https://t.example/{z}/{x}/{y}.png')).toEqual([
      'https://t.example/{z}/{x}/{y}.png',
    ]);
  });
});

describe('a request', () => {
  const isMaps = (address: string, over: Partial<MapFiles>) =>
    isOfMap(new URL(address), files(over), app);

  it.each([
    ['https://a.tiles.example/1/2/3.png', true],
    ['https://tiles.example/1/2/3.png', false],
    ['https://a.tiles.example.evil.example/1/2/3.png', false],
    ['http://a.tiles.example/1/2/3.png', false],
    ['https://fonts.example/glyphs/0-255.pbf', true],
    ['https://fonts.example:8443/glyphs/0-255.pbf', false],
  ])('to %s belongs to the map: %s', (address, expected) => {
    const sources = ['https://*.tiles.example', 'https://fonts.example'];
    expect(isMaps(address, { sources })).toBe(expected);
  });

  it("to the app's own host belongs to the map by path only", () => {
    const own = { tileUrl: `${app}/tiles/{z}/{x}/{y}.png`, sources: [app] };
    expect(isMaps(`${app}/tiles/1/2/3.png`, own)).toBe(true);
    expect(isMaps(`${app}/icons/icon-192.png`, own)).toBe(false);
    const style = { styleUrl: `${app}/map/style.json?key=1`, sources: [app] };
    expect(isMaps(`${app}/map/sprite.png`, style)).toBe(true);
    expect(isMaps(`${app}/icons/icon-192.png`, style)).toBe(false);
    expect(isMaps(`${app}/icons/icon-192.png`, { tileUrl: `${app}/{z}/{x}/{y}.png` })).toBe(false);
  });
});
