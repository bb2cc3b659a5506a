/**
 * A package for its recipient without an account: for anyone who knows the token of its link. Never
 * a price, an address, a surname, or the sender's text.
 */
import * as v from 'valibot';
import { reasonCodes } from './event.ts';
import { idSchema, knownLocationSchema, limits, paragraph } from './fields.ts';

/** 22 characters in base64url: 128 bits and a few. */
export const trackingTokenSchema = v.pipe(v.string(), v.regex(/^[\w-]{22}$/));
/** The page; `trackingPath` of a package is filled in. */
export const trackingPagePath = '/t/:token';

/** Kinds of a recipient's note to the courier. */
export const recipientNoteKinds = ['another_time', 'safe_place', 'another_person'] as const;
export type RecipientNoteKind = (typeof recipientNoteKinds)[number];

/** POST /api/track/{token}/notes */
export const leaveNoteSchema = v.strictObject({
  kind: v.picklist(recipientNoteKinds, 'Must be one of the known kinds of note.'),
  text: paragraph(limits.recipientNote),
});
export type LeaveNoteBody = v.InferOutput<typeof leaveNoteSchema>;

/** The recipient's last note, in responses. */
export const recipientNoteSchema = v.object({
  kind: v.string(),
  text: v.string(),
  at: v.string(),
});
export type RecipientNote = v.InferOutput<typeof recipientNoteSchema>;

/** The package's progress for its recipient. */
export const trackingStages = [
  'waiting',
  'accepted',
  'picked_up',
  'arrived',
  'attempted',
  'returning',
  'delivered',
  'returned',
  'cancelled',
] as const;
export type TrackingStage = (typeof trackingStages)[number];

/** Types of events shown to the recipient. */
export const trackedTypes = [
  'created',
  'accepted',
  'assigned',
  'unassigned',
  'reopened',
  'picked_up',
  'arrived',
  'attempt_failed',
  'return_started',
  'returned',
  'delivered',
  'cancelled',
  'recipient_note',
] as const;
export type TrackedType = (typeof trackedTypes)[number];

/** GET /api/track/{token}. Times in ISO 8601. */
export const trackingSchema = v.object({
  /** The display number. */
  packageId: v.string(),
  stage: v.picklist(trackingStages),
  /** Oldest first. `reason`: of a failed attempt. */
  timeline: v.array(
    v.object({
      type: v.picklist(trackedTypes),
      at: v.string(),
      reason: v.nullable(v.picklist(reasonCodes)),
    }),
  ),
  /** When it is to be picked up, and delivered; null: not agreed. */
  window: v.object({ from: v.string(), to: v.nullable(v.string()) }),
  /** Null unless they carry it. */
  courier: v.nullable(
    v.object({
      firstName: v.string(),
      vehicle: v.nullable(v.string()),
      phoneNumber: v.nullable(v.string()),
    }),
  ),
  /** The courier's place, to 100 m; null: not shared, or not on the way to the recipient. */
  position: v.nullable(v.object({ ...knownLocationSchema.entries, at: v.string() })),
  /**
   * The recipient's proof at the door; null: not needed, or over. `code` null: locked by wrong
   * codes; the token still counts.
   */
  handover: v.nullable(v.object({ code: v.nullable(v.string()), token: v.string() })),
  /** Photos of the delivery. */
  photoIds: v.array(idSchema),
  canNote: v.boolean(),
  note: v.nullable(recipientNoteSchema),
  /** When the link ends; null: not yet known. */
  endsAt: v.nullable(v.string()),
});
export type Tracking = v.InferOutput<typeof trackingSchema>;

export const trackingEventsPath = '/api/track/:token/events';
/** Event of GET /api/track/{token}/events; its data is the page's changing HTML as a JSON string. */
export const trackingEvent = 'tracking';
