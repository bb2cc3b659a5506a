/** The place that a link of a map app, or a geo: URI, means (docs/decisions/0098-places-in-text.md). Pure. */
import type { Location } from '#contract/fields.ts';
import { cleanLine } from '#contract/text.ts';
import { findAngles, placeOf, plain } from './degrees.ts';

export interface PlaceText {
  location: Location;
  /** Beside it, or the name that a link has; '' for none. */
  words: string;
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
};

const google = String.raw`google\.[a-z]{2,3}(?:\.[a-z]{2})?`;
/** With the path: what is searched elsewhere on google.com is no place. */
const maps = new RegExp(
  String.raw`^(?:[\w-]+\.)*(?:maps\.${google}|(?:${google}|bing\.com)/maps|maps\.apple\.com|openstreetmap\.org|osm\.org|waze\.com|here\.com|organicmaps\.app)(?:[/@]|$)`,
  'i',
);
/** Schemes that open a map app. */
const apps = /^(?:geo|google\.navigation|comgooglemaps(?:-x-callback)?|maps|waze|om|bingmaps)$/i;
const parts = /^(?:([a-z][\w+.-]*):)?(?:\/\/)?([^?#]*)\??([^#]*)#?(.*)$/i;
/** Parameters with the pin; `shownIn` are those with the map's centre. */
const pinnedIn = ['query', 'q', 'll', 'coordinate'];
const shownIn = ['center', 'cp', 'sll', 'map'];
const namedIn = ['address', 'query', 'q', 'name', 'destination', 'daddr'];
/** A route has its end in one of the first three; the others say that it is one. */
const endsIn = ['daddr', 'destination', 'to'];
const routedIn = [...endsIn, 'route', 'rtp', 'saddr', 'origin'];
/** Two numbers with a comma, or with decimals: '12 4' is a house. */
const pair =
  /^([+-]?\d{1,3}(?:\.\d+)?)(?:\s*[,~_/]\s*|(?<=\.\d+)\s+(?=[+-]?\d+\.))([+-]?\d{1,3}(?:\.\d+)?)$/;

/** Characters: a pair of degrees and a name. */
const longestPart = 300;

/** The place that a part of a link is as a whole, but for a name in brackets behind it. */
function pinOf(part: string): Location | null {
  if (part.length > longestPart) return null;
  const text = plain(part)
    .replace(/^\s*(?:loc:|ll\.|point\.|pos\.)?\s*/, '')
    .replace(/\s*(?:\([^()]*\)\s*)?$/, '');
  const [, lat, lng] = pair.exec(text) ?? [];
  if (lat !== undefined) return placeOf(Number(lat), Number(lng));
  const [found, ...others] = findAngles(text);
  const isAll = found?.start === 0 && found.end === text.length && others.length === 0;
  return isAll ? found.location : null;
}

/** The first two numbers of what only apps write: heights, zooms and names follow. */
const firstTwo = (part: string) => /^[^,~_/;]*[,~_/][^,~_/;]*/.exec(part)?.[0] ?? '';

interface Link {
  whole: string;
  /** The link opens an app, not a page. */
  isApp: boolean;
  path: readonly string[];
  hash: string;
  valuesOf(names: readonly string[]): string[];
}

/** Undefined: not a map's. */
function linkOf(whole: string): Link | undefined {
  // 'google.navigation:q=…'
  const [, scheme = '', path = '', query = '', hash = ''] =
    parts.exec(whole.replace(/^(google\.navigation:)(?=\w+=)/i, '$1?')) ?? [];
  const isApp = !/^(?:https?)?$/i.test(scheme);
  if (!(isApp ? apps.test(scheme) : maps.test(path))) return undefined;
  const asked = new Map<string, string>();
  for (const one of query.split('&')) {
    const [name = '', ...value] = one.split('=');
    asked.set(name, decoded(value.join('=')));
  }
  const valuesOf = (names: readonly string[]) => names.map((name) => asked.get(name) ?? '');
  return { whole, isApp, path: path.split('/').map(decoded), hash, valuesOf };
}

const isOfMap = (segment: string) => /^(?:@|data=)/.test(segment);

/** Candidates for the pin, the surest first. */
function pinsOf({ whole, isApp, path, hash, valuesOf }: Link): string[] {
  const last = path.slice(isApp ? 0 : 1).findLast((part) => part && !isOfMap(part)) ?? '';
  const [pin] = [...whole.matchAll(/!3d(-?[\d.]+)!4d(-?[\d.]+)/g)].slice(-1);
  const shown = path.find((part) => part.startsWith('@'));
  return [
    pin ? `${pin[1]},${pin[2]}` : '',
    valuesOf(['mlat', 'mlon']).join(),
    ...valuesOf(pinnedIn),
    ...valuesOf(['sp']).map(firstTwo),
    isApp || path.includes('l') ? firstTwo(last) : last,
    firstTwo(shown?.slice(1) ?? ''),
    firstTwo(/^map=[\d.]+\/(.+)/.exec(hash)?.[1] ?? ''),
    ...valuesOf(shownIn).map(firstTwo),
  ];
}

/** Candidates for a route's end: neither its start nor the middle of its map. */
function endsOf({ whole, path, valuesOf }: Link, route: number): string[] {
  // HERE says first how one travels, and names before the numbers.
  const isHere = path[route] === 'directions';
  const stops = route < 0 ? [] : path.slice(route + (isHere ? 2 : 1));
  const map = stops.findIndex(isOfMap);
  if (map >= 0) stops.length = map;
  else if (stops.at(-1) === '') stops.pop();
  const stop = (stops.length > 1 && stops.at(-1)) || '';
  // Google's own, of a name: of the last stop nothing follows.
  const [, lng, lat] =
    (stop && /!2m2!1d(-?[\d.]+)!2d(-?[\d.]+)(?!.*!(?:1m|2m2!1d))/.exec(whole)) || [];
  const [, ...rest] = valuesOf(['route', 'rtp']).join('').split(/[;~]/);
  return [
    isHere ? stop.replace(/^[^:]*:/, '') : stop,
    lat ? `${lat},${lng}` : '',
    ...valuesOf(endsIn).map((value) => value.split(' to:').at(-1) ?? ''),
    firstTwo(rest.at(-1) ?? ''),
  ];
}

/** Undefined: not a map's. Null: no place in it. */
export function readMapLink(whole: string): PlaceText | null | undefined {
  const link = linkOf(whole);
  if (!link) return link;
  const { path, valuesOf } = link;
  const route = path.findIndex((part) => /^(?:dir|directions|r)$/.test(part));
  const isRoute = route >= 0 || valuesOf(routedIn).some(Boolean);
  const location = (isRoute ? endsOf(link, route) : pinsOf(link)).map(pinOf).find(Boolean);
  if (!location) return null;
  const at = path.indexOf('place') + 1;
  const name = [at > 0 ? (path[at] ?? '') : '', ...valuesOf(namedIn)]
    .map((text) => (pinOf(text) ? (/\(([^)]*)\)/.exec(text)?.[1] ?? '') : text))
    .find(Boolean);
  return { location, words: cleanLine(name ?? '') };
}
