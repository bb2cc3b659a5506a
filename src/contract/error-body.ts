/** Apart from the codes (errors.ts), which the first page needs without any schema. */
import * as v from 'valibot';
import { packageSchema } from './package.ts';
import { userSchema } from './user.ts';

/**
 * The body of every error response. `current` comes with `conflict`: the current package or user;
 * `fields` then names the conflicting fields. `missing` (naira) comes with `insufficient_funds`,
 * `triesLeft` with `wrong_code`.
 */
export const errorBodySchema = v.object({
  message: v.string(),
  code: v.string(),
  fields: v.optional(v.record(v.string(), v.string())),
  current: v.optional(v.union([packageSchema, userSchema])),
  missing: v.optional(v.number()),
  triesLeft: v.optional(v.number()),
});
export type ErrorBody = v.InferOutput<typeof errorBodySchema>;
