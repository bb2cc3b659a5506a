/** A courier's working area: a circle that limits the offers they list and hear of. */
import * as v from 'valibot';

const degrees = (limit: number) =>
  v.pipe(
    v.number('Must be a number of degrees.'),
    v.minValue(-limit, `Must be at least -${limit}.`),
    v.maxValue(limit, `Must be at most ${limit}.`),
    // About a kilometre: enough for a district, too coarse for a house.
    v.transform((value) => Math.round(value * 100) / 100),
  );

/** Centre in degrees (rounded to 0.01), radius in kilometres. */
export const areaSchema = v.strictObject(
  {
    lat: degrees(90),
    lng: degrees(180),
    km: v.pipe(
      v.number('Must be a number of kilometres.'),
      v.minValue(1, 'Must be at least 1.'),
      v.maxValue(500, 'Must be at most 500.'),
    ),
  },
  'Must be an area, or null for everywhere.',
);
export type Area = v.InferOutput<typeof areaSchema>;

const form = 'Must be lat,lng,km.';

/** In a query: 'lat,lng,km', such as '12,8.52,10'. */
export const areaQuerySchema = v.pipe(
  v.string(form),
  v.regex(/^-?\d{1,3}(\.\d{1,9})?,-?\d{1,3}(\.\d{1,9})?,\d{1,3}(\.\d{1,3})?$/, form),
  v.transform((text) => {
    const [lat, lng, km] = text.split(',').map(Number);
    return { lat, lng, km };
  }),
  areaSchema,
);

/** The inverse of `areaQuerySchema`. */
export const areaText = ({ lat, lng, km }: Area): string => [lat, lng, km].join();

/** Null: not an area. */
export function areaFromText(text: unknown): Area | null {
  const parsed = v.safeParse(areaQuerySchema, text);
  return parsed.success ? parsed.output : null;
}
