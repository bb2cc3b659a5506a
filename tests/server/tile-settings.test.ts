/** Invalid map settings are refused: a browser would silently draw nothing. */
import { describe, expect, it } from 'vitest';
import { isOfMap } from '#domain/tile-source.ts';
import { readConfig } from '#server/config/config.ts';

const tilesOf = (environment: Record<string, string>) => readConfig(environment).tiles;
const places = '{z}/{x}/{y}.png';

describe('the sources of the map', () => {
  it.each([
    ['https://tile.openstreetmap.org/', ['https://tile.openstreetmap.org']],
    ['http://127.0.0.1:8080/', ['http://127.0.0.1:8080']],
    ['https://TILES.Example:443/', ['https://tiles.example']],
    ['https://kärten.example/', ['https://xn--krten-gra.example']],
    [
      'https://{s}.tiles.example/',
      ['a', 'b', 'c'].map((letter) => `https://${letter}.tiles.example`),
    ],
    [
      'https://mt{s}.tiles.example/',
      ['a', 'b', 'c'].map((letter) => `https://mt${letter}.tiles.example`),
    ],
    [
      'https://{s}.kärten.example/',
      ['a', 'b', 'c'].map((letter) => `https://${letter}.xn--krten-gra.example`),
    ],
  ])('for tiles at %s are hosts as browsers write them', (address, sources) => {
    expect(tilesOf({ TILE_URL: `${address}${places}` }).sources).toEqual(sources);
  });

  it('include further hosts and wildcards, normalized and without duplicates', () => {
    const { sources } = tilesOf({
      TILE_STYLE_URL: 'https://Style.example/style.json',
      TILE_HOSTS:
        'https://FONTS.example:443, https://*.Tiles.example, https://*.kärten.example, https://style.example',
    });
    expect(sources).toEqual([
      ...['https://style.example', 'https://fonts.example'],
      ...['https://*.tiles.example', 'https://*.xn--krten-gra.example'],
    ]);
  });

  it.each([
    ['https://TILES.example:443/', 'https://tiles.example/1/2/3.png'],
    ['https://kärten.example/', 'https://kärten.example/1/2/3.png'],
    ['https://mt{s}.tiles.example/', 'https://mtb.tiles.example/1/2/3.png'],
    ['https://KAYA.example:443/tiles/', 'https://kaya.example/tiles/1/2/3.png'],
  ])("identify a request to %s as the map's", (address, request) => {
    const { url: tileUrl, style: styleUrl, sources } = tilesOf({ TILE_URL: `${address}${places}` });
    const files = { tileUrl, styleUrl, sources };
    expect(isOfMap(new URL(request), files, 'https://kaya.example')).toBe(true);
  });
});

describe('a template', () => {
  it('keeps its placeholders and what follows its host', () => {
    const { url } = tilesOf({ TILE_URL: 'https://TILES.example/A/{z}/{x}/{y}{r}.png?key=Kä' });
    expect(url).toBe('https://tiles.example/A/{z}/{x}/{y}{r}.png?key=Kä');
  });
});

describe('an unusable setting', () => {
  it.each([
    ['TILE_URL', 'https://tiles.example/'],
    ['TILE_URL', "https://tiles.example'; script-src *;/{z}/{x}/{y}"],
    ['TILE_URL', 'ftp://tiles.example/{z}/{x}/{y}'],
    ['TILE_STYLE_URL', "https://tiles.example/'; script-src *"],
    ['TILE_HOSTS', 'https://fonts.example/path'],
    ['TILE_HOSTS', 'https://fonts.example, *'],
    ['TILE_HOSTS', 'https://a.example:99999'],
    ['TILE_HOSTS', 'https://user@a.example'],
    ['TILE_HOSTS', 'https://a.*.example'],
    ['TILE_HOSTS', 'https://[::1]'],
    ['TILE_URL', `https://a.example:99999/${places}`],
    ['TILE_URL', `https://[::1]/${places}`],
    ['TILE_URL', `https://user:word@a.example/${places}`],
    ['TILE_URL', 'https://{z}.example/{x}/{y}'],
    ['TILE_STYLE_URL', 'https://[::1]/style.json'],
  ])('is refused: %s=%s', (name, value) => {
    const sentence = new RegExp(`^${name} must [^\\n]+\\.$`);
    expect(() => tilesOf({ [name]: value })).toThrow(sentence);
  });

  it.each([
    ['TILE_URL', `http://tiles.example/${places}`],
    ['TILE_STYLE_URL', 'http://tiles.example/style.json'],
    ['TILE_HOSTS', 'https://a.example, http://*.tiles.example'],
  ])('with http:// on an https:// page is refused: %s=%s', (name, value) => {
    const read = (publicUrl: string) => () => tilesOf({ [name]: value, PUBLIC_URL: publicUrl });
    expect(read('https://kaya.example')).toThrow(new RegExp(`^${name} must begin with https://`));
    expect(read('http://kaya.example')).not.toThrow();
  });

  it.each([
    'http://localhost:8080',
    'http://tiles.localhost',
    'http://127.0.0.1:8080',
  ])('does not include http:// on localhost: %s', (origin) => {
    const environment = { TILE_URL: `${origin}/${places}`, PUBLIC_URL: 'https://kaya.example' };
    expect(tilesOf(environment).sources).toEqual([origin]);
  });
});
