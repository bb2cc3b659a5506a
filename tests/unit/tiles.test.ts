/** The map's files, their lifetimes, the page's policy, and giving up on a map. */
import { describe, expect, it } from 'vitest';
import { isOfMap, type MapFiles, tileUrlsOf } from '#domain/tile-source.ts';
import { movedBy, tidy } from '#features/map/components/pin-map.tsx';
import { isHopeless, pauseMs } from '#features/map/map-conditions.ts';
import { creditOf, mapStyleOf } from '#features/map/map-style.ts';
import { underPolicy, withCurrentSources } from '#sw/policy.ts';
import { goodUntil, isPage, longestMs, shortestMs } from '#sw/tile-lifetime.ts';

const now = Date.UTC(2026, 10, 22);
const dayMs = 24 * 60 * 60_000;

const app = 'https://kaya.example';
const files = (over: Partial<MapFiles>): MapFiles => ({
  tileUrl: null,
  styleUrl: null,
  sources: [],
  ...over,
});

it('the URLs of a map are one for each subdomain, without placeholders the library does not know', () => {
  expect(tileUrlsOf('https://{s}.t.example/{z}/{x}/{y}{r}.png')).toEqual(
    ['a', 'b', 'c'].map((subdomain) => `https://${subdomain}.t.example/{z}/{x}/{y}.png`),
  );
  expect(tileUrlsOf('https://t.example/{z}/{x}/{y}.png')).toEqual([
    'https://t.example/{z}/{x}/{y}.png',
  ]);
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

describe('a tile is fresh', () => {
  const lifetimeMs = (headers: Record<string, string>) =>
    goodUntil(new Headers(headers), now) - now;

  it.each([
    ['no lifetime from the server', {}],
    ['a shorter lifetime', { 'cache-control': 'public, max-age=3600' }],
    ['no-store', { 'cache-control': 'no-store' }],
    ['a past expiry', { expires: 'Thu, 01 Jan 1970 00:00:00 GMT' }],
    ['an invalid expiry', { expires: '0' }],
  ])('for seven days with %s', (_, headers: Record<string, string>) => {
    expect(lifetimeMs(headers)).toBe(shortestMs);
    expect(shortestMs).toBe(7 * dayMs);
  });

  it('for as long as the server says if that is longer, up to a year', () => {
    expect(lifetimeMs({ 'cache-control': 'max-age=2592000' })).toBe(30 * dayMs);
    expect(lifetimeMs({ expires: new Date(now + 20 * dayMs).toUTCString() })).toBe(20 * dayMs);
    expect(lifetimeMs({ 'cache-control': 's-maxage=9999999, max-age=864000' })).toBe(10 * dayMs);
    expect(lifetimeMs({ 'cache-control': 'max-age=99999999999' })).toBe(longestMs);
  });

  it('and a tile index only for as long as its server says', () => {
    const style = { 'content-type': 'application/json; charset=utf-8' };
    expect(lifetimeMs({ ...style, 'cache-control': 'no-cache' })).toBe(0);
    expect(lifetimeMs({ ...style, 'cache-control': 'max-age=3600' })).toBe(3_600_000);
    expect(lifetimeMs({ 'content-type': 'image/png' })).toBe(shortestMs);
  });

  it('and not if HTML came instead', () => {
    expect(isPage(new Headers({ 'content-type': 'text/html; charset=utf-8' }))).toBe(true);
    expect(isPage(new Headers({ 'content-type': 'image/png' }))).toBe(false);
    expect(isPage(new Headers())).toBe(false);
  });
});

describe('the cached page', () => {
  const old =
    "default-src 'self';script-src 'self' 'sha256-old';connect-src 'self' https://a.example;img-src 'self' data: https://a.example";
  const next =
    "default-src 'self';script-src 'self' 'sha256-new';connect-src 'self' https://b.example;img-src 'self' data: https://b.example";

  it("follows the map's source, and keeps what fits its own scripts", () => {
    expect(withCurrentSources(old, next)).toBe(next.replace('sha256-new', 'sha256-old'));
    expect(withCurrentSources(old, '')).toBe(old);
  });

  it('is returned with the current policy', async () => {
    const page = new Response('<p>', { headers: { 'content-security-policy': old, 'x-a': 'b' } });
    const given = underPolicy(page, next);
    expect(given.headers.get('content-security-policy')).toContain('https://b.example');
    expect([given.headers.get('x-a'), await given.text()]).toEqual(['b', '<p>']);
    const bare = new Response('<p>');
    expect(underPolicy(bare, next)).toBe(bare);
  });
});

describe('a map', () => {
  it('fails if none of several tiles loads, and never after one has', () => {
    expect(isHopeless({ shown: 0, failed: 3 })).toBe(false);
    expect(isHopeless({ shown: 0, failed: 4 })).toBe(true);
    expect(isHopeless({ shown: 1, failed: 400 })).toBe(false);
  });

  it('is retried with growing pauses, half an hour at most', () => {
    expect([1, 2, 3, 50].map(pauseMs)).toEqual([60_000, 120_000, 240_000, 1_800_000]);
  });

  it('credits its source as plain text with a link for OpenStreetMap', () => {
    expect(creditOf('<b>Kano</b> & "co"')).toBe('&lt;b&gt;Kano&lt;/b&gt; &amp; &quot;co&quot;');
    expect(creditOf('© OpenStreetMap contributors')).toMatch(
      /^© <a href="https:\/\/www\.openstreetmap\.org\/copyright"[^>]*>OpenStreetMap contributors<\/a>$/,
    );
  });

  it('darkens raster tiles at night, leaves a vector style alone, and draws nothing without a source', () => {
    const tiles = { url: 'https://t.example/{z}/{x}/{y}.png', attribution: '', maxZoom: 19 };
    const [day, night] = [false, true].map((isDark) => mapStyleOf({ tiles, style: null }, isDark));
    expect(JSON.stringify(day)).not.toContain('brightness');
    expect(JSON.stringify(night)).toContain('raster-brightness-max');
    const own = 'https://t.example/style.json';
    expect(mapStyleOf({ tiles, style: own }, true)).toBe(own);
    expect(mapStyleOf({ tiles: { ...tiles, url: null }, style: null }, false)).toBeNull();
  });
});

describe('a manual position', () => {
  it('stays within valid degrees wherever a map was rotated', () => {
    expect(tidy({ lat: 12.00220049, lng: 368.5919 })).toEqual({ lat: 12.0022, lng: 8.5919 });
    expect(tidy({ lat: -95, lng: -190 })).toEqual({ lat: -90, lng: 170 });
  });

  it('is moved by the arrow keys, finely with Shift, and by no other key', () => {
    expect(movedBy('ArrowUp', false)).toEqual({ x: 0, y: -24 });
    expect(movedBy('ArrowRight', true)).toEqual({ x: 3, y: 0 });
    expect(movedBy('Enter', false)).toBeNull();
  });
});
