import type { Map as GlMap, StyleSpecification } from 'maplibre-gl';
import type { MapConfig } from '#contract/runtime-config.ts';
import { tileUrlsOf } from '#domain/tile-source.ts';
import { createPolicy } from '#ui/trusted-types.ts';

/** Dark mode for light raster tiles, in the shader: a CSS filter would add a pass per frame. */
const night = {
  'raster-brightness-min': 0.82,
  'raster-brightness-max': 0.06,
  'raster-hue-rotate': 180,
  'raster-saturation': -0.35,
  'raster-contrast': -0.08,
} as const;

/** Slippy-map zoom counts 256 px tiles, the library's 512 px: one lower for the same view. */
export const libraryZoom = (slippyZoom: number): number => slippyZoom - 1;

/** Null without a configured map. A style is passed on by its URL. */
export function mapStyleOf(
  { tiles, style }: Pick<MapConfig, 'tiles' | 'style'>,
  isDark: boolean,
): StyleSpecification | string | null {
  if (style !== null) return style;
  if (tiles.url === null) return null;
  return {
    version: 8,
    sources: {
      tiles: {
        type: 'raster',
        tiles: tileUrlsOf(tiles.url),
        tileSize: 256,
        maxzoom: tiles.maxZoom,
      },
    },
    layers: [
      {
        id: 'tiles',
        type: 'raster',
        source: 'tiles',
        paint: { 'raster-fade-duration': 0, ...(isDark ? night : {}) },
      },
    ],
  };
}

const asHtml: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => asHtml[sign] ?? '');

/** Attribution HTML for the map's control, with the link that OpenStreetMap requires. */
export function creditOf(attribution: string): string {
  return escaped(attribution).replace(
    /OpenStreetMap( contributors)?/,
    '<a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noopener">$&</a>',
  );
}

/** For a parsed document that is never inserted. */
const inert = createPolicy('inert', { createHTML: (html) => html });

/** A style's attribution reduced to text and links. */
export function safeCredit(html: string): string {
  const { body } = new DOMParser().parseFromString(inert?.createHTML(html) ?? html, 'text/html');
  const written = (node: Node): string => {
    if (node.nodeType === Node.TEXT_NODE) return escaped(node.textContent ?? '');
    if (!(node instanceof Element) || /^(script|style|template)$/i.test(node.tagName)) return '';
    const inside = [...node.childNodes].map(written).join('');
    const link = node.getAttribute('href') ?? '';
    if (node.tagName !== 'A' || !/^https?:\/\//i.test(link)) return inside;
    return `<a href="${escaped(link)}" target="_blank" rel="noopener">${inside}</a>`;
  };
  return written(body);
}

/** Sanitises attributions before the library's control, whose listeners run later, writes them. */
export function cleanCredits(map: GlMap): void {
  for (const id of Object.keys(map.getStyle()?.sources ?? {})) {
    const source = map.getSource(id);
    if (source?.attribution) source.attribution = safeCredit(source.attribution);
  }
}

let isAllowed = false;

/**
 * Trusted Types policy for maplibre-gl, which passes plain strings: attributions are sanitised, and
 * the only allowed script is its embedded (blob) worker.
 */
export function allowMapLibrary(): void {
  if (isAllowed) return;
  isAllowed = true;
  createPolicy('default', {
    createHTML: safeCredit,
    createScriptURL: (url) => (url.startsWith(`blob:${window.location.origin}/`) ? url : null),
  });
}
