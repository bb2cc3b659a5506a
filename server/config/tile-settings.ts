/**
 * Map sources in a form the Content-Security-Policy accepts: browsers ignore sources they cannot
 * parse, and the map would stay empty without an error.
 */
import { tileUrlsOf } from '#domain/tile-source.ts';
import { StartupError } from './startup-error.ts';

const httpAddress = /^https?:\/\/[^\s;,'"]+$/;

export function isTileTemplate(template: string): boolean {
  if (template === 'off') return true;
  const hasPlaces = ['{z}', '{x}', '{y}'].every((place) => template.includes(place));
  return hasPlaces && httpAddress.test(template) && tileUrlsOf(template).every(isAddress);
}

export function isStyleUrl(text: string): boolean {
  return httpAddress.test(text) && !text.includes('{') && isAddress(text);
}

const isAddress = (address: string) => URL.canParse(address);

/** A policy names hosts and IPv4 only; browsers reject fetches of URLs with credentials. */
export function isOfNamedHost(template: string): boolean {
  return tileUrlsOf(template)
    .filter(isAddress)
    .map((address) => new URL(address))
    .every(({ hostname, username, password }) => {
      return /^[\w.-]+$/.test(hostname) && username === '' && password === '';
    });
}

/** 'https://fonts.example, https://*.tiles.example' */
export function areHosts(text: string): boolean {
  return hostsOf(text).every((host) => {
    const isHost = /^https?:\/\/(\*\.)?[^\s/\\*{}?#@;'"]+$/.test(host) && isAddress(host);
    return isHost && /^(\*\.)?[\w.-]+$/.test(new URL(host).hostname);
  });
}

function hostsOf(text: string): string[] {
  return text.split(',').map((host) => host.trim());
}

/** Normalised as in browsers: lower case, punycode, no default port. */
const originOf = (address: string) => new URL(address).origin;

/** 'https://{s}.tiles.example/{z}/{x}/{y}.png' → 'https://a.tiles.example' and those of b and c */
function sourcesOf(address: string): string[] {
  return tileUrlsOf(address).map(originOf);
}

function plain(address: string): string {
  const given = /^https?:\/\/[^/?#]+/.exec(address)?.[0] ?? '';
  return given.includes('{') ? address : originOf(given) + address.slice(given.length);
}

export interface Tiles {
  /** Null: no raster tiles. */
  url: string | null;
  attribution: string;
  style: string | null;
  /** Every origin the map may request, for the Content-Security-Policy. */
  sources: string[];
}

interface TileSettings {
  TILE_URL: string;
  TILE_STYLE_URL?: string | undefined;
  TILE_HOSTS?: string | undefined;
  TILE_ATTRIBUTION: string;
  PUBLIC_URL?: string | undefined;
}

/** http://localhost is a secure context (W3C Secure Contexts, 3.1). */
export const isOfThisMachine = (source: string) =>
  URL.canParse(source) &&
  /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(source).hostname);

/** Expects settings that passed the checks above. Throws StartupError for mixed content. */
export function tilesOf(values: TileSettings): Tiles {
  const { TILE_STYLE_URL, TILE_HOSTS, PUBLIC_URL } = values;
  const style = TILE_STYLE_URL === undefined ? null : plain(TILE_STYLE_URL);
  const url = style !== null || values.TILE_URL === 'off' ? null : plain(values.TILE_URL);
  const named = {
    TILE_URL: url === null ? [] : sourcesOf(url),
    TILE_STYLE_URL: style === null ? [] : sourcesOf(style),
    TILE_HOSTS: TILE_HOSTS === undefined ? [] : hostsOf(TILE_HOSTS).map(originOf),
  };
  for (const [name, sources] of Object.entries(named)) {
    const isMixed = sources.some((one) => one.startsWith('http:') && !isOfThisMachine(one));
    if (isMixed && PUBLIC_URL?.startsWith('https:')) {
      throw new StartupError(
        `${name} must begin with https:// like PUBLIC_URL: browsers block http:// content in such a page. Correct it or unset it, then start again.`,
      );
    }
  }
  const sources = [...new Set(Object.values(named).flat())];
  return { url, style, attribution: values.TILE_ATTRIBUTION, sources };
}
