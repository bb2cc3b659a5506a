/**
 * A package's events. A package is a row and an append-only list of events:
 * each change writes its own (`created`, `accepted`, …), and people record the steps of a delivery
 * (`recordedTypes`).
 */
import * as v from 'valibot';
import { idSchema, limits, line, noneOr, paragraph, phoneTimeSchema } from './fields.ts';
import { placedSchema } from './position.ts';

/** Types that a POST may record; the server writes the others with their change. */
export const recordedTypes = [
  'picked_up',
  'arrived',
  'attempt_failed',
  'return_started',
  'returned',
  'delivered',
  'confirmed',
  'handover',
  'corrected',
] as const;
export type RecordedType = (typeof recordedTypes)[number];

export const eventTypes = [
  'created',
  'edited',
  'offer_changed',
  'accepted',
  'assigned',
  'unassigned',
  'cancelled',
  'reopened',
  'paid',
  'refunded',
  'disputed',
  'resolved',
  'recipient_note',
  ...recordedTypes,
] as const;
export type EventType = (typeof eventTypes)[number];

/** How far a package in transit is; null otherwise. */
export const progressSteps = [
  'accepted',
  'picked_up',
  'arrived',
  'attempted',
  'returning',
] as const;
export type Progress = (typeof progressSteps)[number];

export const faults = ['recipient', 'sender', 'courier', 'none'] as const;
export type Fault = (typeof faults)[number];

interface AttemptReason {
  /** The party at fault, which divides the money of a return. */
  fault: Fault;
  needsNote: boolean;
  /** May another attempt succeed? */
  canRetry: boolean;
  /** Seen before it is picked up, and then rejected: not offered on the way. */
  isOfPickup: boolean;
}

const because = (fault: Fault, canRetry: boolean): AttemptReason => ({
  fault,
  canRetry,
  needsNote: false,
  isOfPickup: false,
});

/** Why a delivery was not possible. */
export const attemptReasons = {
  recipient_unavailable: because('recipient', true),
  phone_unreachable: because('recipient', true),
  refused: because('recipient', false),
  payment_not_ready: because('recipient', true),
  no_code: because('recipient', true),
  reschedule_requested: because('recipient', true),
  closed: because('recipient', true),
  wrong_address: because('sender', true),
  cannot_locate: because('sender', true),
  prohibited_item: because('sender', false),
  not_ready: { ...because('sender', true), isOfPickup: true },
  item_mismatch: { ...because('sender', false), isOfPickup: true },
  too_large: { ...because('sender', false), isOfPickup: true },
  damaged: because('courier', false),
  lost: because('courier', false),
  vehicle_breakdown: because('courier', true),
  unsafe_or_blocked: because('none', true),
  weather: because('none', true),
  other: { ...because('none', true), needsNote: true },
} as const satisfies Record<string, AttemptReason>;
export type ReasonCode = keyof typeof attemptReasons;
export const reasonCodes = Object.keys(attemptReasons) as [ReasonCode, ...ReasonCode[]];
export const reasonSchema = v.picklist(reasonCodes, 'Must be one of the known reasons.');

/** The person who took the package, according to the courier. */
export const relations = [
  'recipient',
  'household',
  'colleague',
  'security',
  'neighbour',
  'other',
] as const;
export const relationSchema = v.picklist(relations, 'Must be one of the known relations.');
export type Relation = v.InferOutput<typeof relationSchema>;

/** Six digits, the last one a check digit (domain/codes). */
export const codeSchema = v.pipe(
  v.string('Must be a code.'),
  v.trim(),
  v.regex(/^\d{6}$/, 'Must be six digits.'),
);
/** The QR's text is this prefix and the token. */
export const qrPrefix = 'KAYA1:';
const tokenSchema = v.pipe(
  v.string('Must be a token.'),
  v.regex(/^[\w-]{22}$/, 'Must be the token of the QR code.'),
);
export const maxPhotos = 4;

/** The proof of a delivery or a return: code or token, or photos with the receiving person. */
export const proofSchema = v.strictObject({
  code: v.optional(codeSchema),
  qr: v.optional(tokenSchema),
  recipientName: v.optional(line(limits.name)),
  relation: v.optional(relationSchema),
  photoIds: v.optional(
    v.pipe(
      v.array(idSchema, 'Must be ids.'),
      v.maxLength(maxPhotos, `Must be at most ${maxPhotos} photos.`),
    ),
  ),
  signatureId: v.optional(idSchema),
});
export type Proof = v.InferOutput<typeof proofSchema>;

/**
 * POST /api/packages/{id}/events. `_id` is the client's own; `occurredAt` is its clock when the
 * person acted. `reason` belongs to `attempt_failed`, `courierId` to `handover`, `cashCollected` to
 * `delivered`, `corrects` (the event taken back) to `corrected`.
 */
export const recordEventSchema = v.strictObject({
  _id: idSchema,
  type: v.picklist(recordedTypes, 'Must be an event that can be recorded.'),
  occurredAt: phoneTimeSchema,
  reason: v.optional(v.nullable(reasonSchema)),
  note: v.optional(noneOr(paragraph(limits.notes))),
  location: v.optional(v.nullable(placedSchema)),
  courierId: v.optional(idSchema),
  proof: v.optional(proofSchema),
  cashCollected: v.optional(v.literal(true)),
  corrects: v.optional(idSchema),
});
export type RecordEventBody = v.InferOutput<typeof recordEventSchema>;

/**
 * An event in responses. Times in ISO 8601; `fields`: the names of what an edit changed. Words are any
 * text, so that a reader who does not know a new one passes over it and reads the rest of the history.
 */
export const packageEventSchema = v.object({
  _id: idSchema,
  seq: v.number(),
  /** One of `eventTypes`. */
  type: v.string(),
  actor: v.nullable(v.object({ id: idSchema, role: v.string(), firstName: v.string() })),
  /** By the phone's clock. */
  occurredAt: v.string(),
  receivedAt: v.string(),
  /** When it happened, by the server's clock. */
  effectiveAt: v.string(),
  /** Low: the phone's clock was wrong, or the event waited for hours. */
  timeTrust: v.string(),
  reason: v.nullable(v.string()),
  note: v.nullable(v.string()),
  location: v.nullable(v.object({ lat: v.number(), lng: v.number(), accuracy: v.number() })),
  fields: v.nullable(v.array(v.string())),
  /** Never a code or token. */
  proof: v.optional(
    v.nullable(
      v.object({
        recipientName: v.nullable(v.string()),
        relation: v.nullable(v.string()),
        photoIds: v.array(idSchema),
        signatureId: v.nullable(idSchema),
        verifiedBy: v.nullable(v.string()),
      }),
    ),
    null,
  ),
  /** The event that this one takes back, and the one that took this one back. */
  corrects: v.optional(v.nullable(idSchema), null),
  correctedBy: v.optional(v.nullable(idSchema), null),
  /** It says what another had recorded: it moved nothing, and is not taken back. */
  isRepeat: v.optional(v.boolean()),
  /** The text message to the recipient that went with it, for sender and admins: see `textStatuses`. */
  text: v.optional(v.nullable(v.object({ status: v.string(), at: v.string() })), null),
});
export type WireEvent = v.InferOutput<typeof packageEventSchema>;
/** Events per answer; an answer with fewer reaches back to the first event its reader may see. */
export const eventsPerPage = 50;
/**
 * GET /api/packages/{id}/events: the newest, oldest first. `before` is the `seq` of the first event
 * of a page, and asks for those before it.
 */
export const eventsQuerySchema = v.object({
  before: v.optional(v.pipe(v.string(), v.regex(/^\d{1,16}$/, 'Must be the `seq` of an event.'))),
});
export const packageEventsSchema = v.array(packageEventSchema);
