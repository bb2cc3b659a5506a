/** GET /config.json: what the page and the service worker learn at run time. */
import * as v from 'valibot';

export const runtimeConfigSchema = v.object({
  name: v.string(),
  map: v.object({
    tiles: v.object({
      /** Template with {z}, {x} and {y}, perhaps {s} and {r}; null: there is no map. */
      url: v.nullable(v.string()),
      /** Plain text. */
      attribution: v.string(),
      /** Of a slippy map, whose tiles are 256 px. */
      maxZoom: v.number(),
    }),
    /** Address of a style (JSON) in place of the raster tiles. */
    style: v.nullable(v.string()),
    /** Whom the map may ask, as the Content-Security-Policy names them. */
    sources: v.array(v.string()),
    /** Degrees. */
    centre: v.object({ lat: v.number(), lng: v.number() }),
    /** Of a slippy map, whose tiles are 256 px. */
    zoom: v.number(),
  }),
});
export type RuntimeConfig = v.InferOutput<typeof runtimeConfigSchema>;
export type MapConfig = RuntimeConfig['map'];

/** Null where it is none: a captive portal's page, or that of a server of another version. */
export function parseRuntimeConfig(json: unknown): RuntimeConfig | null {
  const parsed = v.safeParse(runtimeConfigSchema, json);
  return parsed.success ? parsed.output : null;
}
