/** A courier's shared position (docs/decisions/0087-who-sees-a-position.md). */
import * as v from 'valibot';
import { idSchema, knownLocationSchema, locationSchema } from './fields.ts';

const accuracyMeters = v.pipe(
  v.number('Must be metres.'),
  v.minValue(0, 'Must be metres.'),
  v.maxValue(1_000_000, 'Must be metres.'),
);

/** A place in a request, with the radius in metres of the circle that the courier is in. */
export const placedSchema = v.strictObject({ ...locationSchema.entries, accuracy: accuracyMeters });

/** PUT /api/position */
export type PositionBody = v.InferOutput<typeof placedSchema>;

/** How long the server keeps the last one. */
export const positionLifetimeMs = 10 * 60_000;

/** GET /api/positions (admins): the couriers who share theirs. `at`: ISO 8601, by the server. */
export const positionsSchema = v.array(
  v.object({
    courierId: idSchema,
    ...knownLocationSchema.entries,
    accuracy: v.number(),
    at: v.string(),
  }),
);
export type CourierPosition = v.InferOutput<typeof positionsSchema>[number];
