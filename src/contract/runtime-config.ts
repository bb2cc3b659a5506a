/** GET /config.json: settings of page and service worker at run time. */
import * as v from 'valibot';
import { handoverSchema } from './package.ts';

export const runtimeConfigSchema = v.object({
  name: v.string(),
  map: v.object({
    tiles: v.object({
      /** Template with {z}, {x}, {y} and optionally {s}, {r}; null: no raster tiles. */
      url: v.nullable(v.string()),
      /** Plain text. */
      attribution: v.string(),
      /** Zoom for 256 px tiles. */
      maxZoom: v.number(),
    }),
    /** URL of a style (JSON), used instead of raster tiles. */
    style: v.nullable(v.string()),
    /** Origins the map may request, as in the Content-Security-Policy. */
    sources: v.array(v.string()),
    /** Degrees. */
    centre: v.object({ lat: v.number(), lng: v.number() }),
    /** For 256 px tiles. */
    zoom: v.number(),
  }),
  /** Default for new packages. */
  handover: v.optional(handoverSchema, 'none'),
  /** The courier's percentage of a held price for a return; null: not stated. */
  returnFeePercent: v.optional(v.nullable(v.number()), null),
  /** Link to a person who helps: mailto:, tel: or https:; null: none is set. */
  support: v.optional(v.nullable(v.string()), null),
  /** Are mails sent? Without them nobody can recover an account by themselves. */
  hasMail: v.optional(v.boolean(), false),
});
export type RuntimeConfig = v.InferOutput<typeof runtimeConfigSchema>;
export type MapConfig = RuntimeConfig['map'];

/** Null if invalid: a captive portal's page, or another version's server. */
export function parseRuntimeConfig(json: unknown): RuntimeConfig | null {
  const parsed = v.safeParse(runtimeConfigSchema, json);
  return parsed.success ? parsed.output : null;
}
