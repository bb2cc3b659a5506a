/** Nobody fetches yesterday: what a form says of a pickup date that has passed. Pure. */
import * as v from 'valibot';
import { dateTimeSchema } from '#contract/fields.ts';
import type { FieldMessages } from './validation.ts';

export const pickupPassed = 'The pickup date has passed. Please choose a later one.';

/** 'Now' is a fair answer, and it takes a while until the last step. */
const graceMs = 60 * 60 * 1000;

/** The complaint at the field; none where the date cannot be read, of which others complain. */
export function pickupComplaint(pickupDate: string, nowMs: number): FieldMessages {
  const read = v.safeParse(dateTimeSchema, pickupDate);
  const hasPassed = read.success && Date.parse(read.output) < nowMs - graceMs;
  return hasPassed ? { pickupDate: pickupPassed } : {};
}
