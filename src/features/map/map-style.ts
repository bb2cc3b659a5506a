import type { StyleSpecification } from 'maplibre-gl';
import type { MapConfig } from '#contract/runtime-config.ts';
import { tileUrlsOf } from '#domain/tile-source.ts';
import { createPolicy } from '#ui/trusted-types.ts';

/**
 * Day's pictures by night: light and dark changed places, colours kept as they were and paler. In the
 * shader, where it costs nothing; a filter over the canvas would be one more pass for each frame.
 */
const night = {
  'raster-brightness-min': 0.82,
  'raster-brightness-max': 0.06,
  'raster-hue-rotate': 180,
  'raster-saturation': -0.35,
  'raster-contrast': -0.08,
} as const;

/**
 * The library's zoom for that of a slippy map, which counts tiles of 256 px: the library counts tiles
 * of 512 px, so its numbers are one lower for the same view.
 */
export const libraryZoom = (slippyZoom: number): number => slippyZoom - 1;

/** Null where the deployment has no map. A style of its own goes by its address. */
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

/** The credit as the map's control wants it, with the link that OpenStreetMap asks for. */
export function creditOf(attribution: string): string {
  return escaped(attribution).replace(
    /OpenStreetMap( contributors)?/,
    '<a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noopener">$&</a>',
  );
}

/** For a document that is only read. */
const inert = createPolicy('inert', { createHTML: (html) => html });

/** A style's own credit, reduced to its text and links. */
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
