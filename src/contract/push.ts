/**
 * Web Push (RFC 8030, 8291, 8292). Responses never contain a subscription's endpoint and keys: they
 * let anyone write to that phone.
 */
import * as v from 'valibot';
import { areaSchema } from './area.ts';

/** newPackage, assigned: for couriers. accepted, delivered, rejected: for senders. */
export const pushKinds = ['newPackage', 'assigned', 'accepted', 'delivered', 'rejected'] as const;
const pushKindSchema = v.picklist(pushKinds, 'Must be a kind of notification.');
export type PushKind = v.InferOutput<typeof pushKindSchema>;

/** Kinds of news; those that cannot be chosen follow a chosen kind (domain/push `pushKindOf`). */
export const newsKinds = [...pushKinds, 'pickedUp', 'attemptFailed', 'returned'] as const;
export type NewsKind = (typeof newsKinds)[number];

const kindsSchema = v.pipe(
  v.array(pushKindSchema, 'Must be a list of kinds.'),
  v.minLength(1, 'Must name at least one kind.'),
  v.maxLength(pushKinds.length, 'Must not name a kind twice.'),
  v.check((kinds) => new Set(kinds).size === kinds.length, 'Must not name a kind twice.'),
);

/** Far above the endpoints of known push services. */
const maximumEndpointLength = 1000;

/** Scheme, host, port and path: no credentials, no fragment, nothing a URL parser would correct. */
const endpointPattern = /^https?:\/\/[\w.[\]:-]+(\/[!-~]*)?$/;
const loose = /[#\\]/;

/** Addresses are checked by server/modules/notifications/endpoint.ts. */
const endpointSchema = v.pipe(
  v.string('Must be the address of a push service.'),
  v.maxLength(maximumEndpointLength, `Must be at most ${maximumEndpointLength} characters.`),
  v.regex(endpointPattern, 'Must be the address of a push service.'),
  v.check((text) => !loose.test(text), 'Must be the address of a push service.'),
);

const keyOf = (pattern: RegExp) =>
  v.pipe(v.string('Must be a key.'), v.regex(pattern, 'Must be a key in base64url.'));

/** GET /api/push: the key browsers subscribe with, and the caller's kinds. */
export const pushOfferSchema = v.object({
  publicKey: v.string(),
  kinds: v.array(pushKindSchema),
});
export type PushOffer = v.InferOutput<typeof pushOfferSchema>;

/** PUT /api/push: notify this phone of these kinds. `area` limits newPackage only. */
export const pushSubscriptionSchema = v.strictObject({
  endpoint: endpointSchema,
  keys: v.strictObject(
    {
      // 65 bytes that start with 4: an uncompressed point of P-256.
      p256dh: keyOf(/^B[A-P][\w-]{85}$/),
      // 16 bytes.
      auth: keyOf(/^[\w-]{22}$/),
    },
    'Must be the keys of a subscription.',
  ),
  kinds: kindsSchema,
  area: v.optional(v.nullable(areaSchema), null),
});
export type PushSubscriptionBody = v.InferOutput<typeof pushSubscriptionSchema>;

export const endPushSchema = v.strictObject({ endpoint: endpointSchema });
export type EndPushBody = v.InferOutput<typeof endPushSchema>;

/** The decrypted message on the phone. No names, addresses or numbers: a lock screen shows it. */
export const pushMessageSchema = v.object({
  kind: v.picklist(newsKinds),
  /** The package's id. */
  id: v.string(),
  packageId: v.string(),
  naira: v.number(),
  /** Why an attempt failed (contract/event `attemptReasons`). */
  reason: v.optional(v.string()),
  /** The recipient's user id: another user may have signed in on this phone since. */
  to: v.string(),
});
export type PushMessage = v.InferOutput<typeof pushMessageSchema>;
