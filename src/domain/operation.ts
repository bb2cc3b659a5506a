/**
 * An operation: a person's intent, as data. Its id is the Idempotency-Key of every attempt, across
 * retries, reloads and tabs. `operations` holds the rules of each and its request in the domain's
 * terms; sync/operations writes that to the wire, messages/en/operations has its messages.
 */
import * as v from 'valibot';
import { disputeBodySchema } from '#contract/dispute.ts';
import { codeSchema, progressSteps, proofSchema, reasonSchema } from '#contract/event.ts';
import { idSchema, limits, noneOr, paragraph, versionSchema } from '#contract/fields.ts';
import { createPackageSchema, packageChangesSchema } from '#contract/package.ts';
import { anyIdSchema, anyPartySchema } from '#contract/plain.ts';
import { profileChangesSchema } from '#contract/user.ts';
import type { RecordedEvent } from './event-types.ts';
import type { OperationName } from './operation-names.ts';
import { acceptTerms, type PackagePatch } from './patch.ts';
import type { PackageAction } from './policy.ts';
import { proofLane } from './proof-picture.ts';
import { type Party, partyFromWire } from './user.ts';

type StoredArgs = Readonly<Record<string, unknown>>;

/** A patch that an operation asks for; `courier`: the person behind its `courierId`. */
export interface OperationPatch extends PackagePatch {
  courier?: Party;
}

interface Common<Args> {
  /** The kind of row it changes; operations on one row are sent in order. */
  target: 'package' | 'user';
  /** A form keeps its input until it is saved. */
  input: 'form' | 'button';
  /** With an incomplete profile, waits for a profile edit queued before it. */
  needsProfile: boolean;
  /** Checked by the policy; null: on the user's own data, always allowed. */
  action: PackageAction | null;
  /** Checks only what overlay and screens rely on, at a hundredth of the cost of `args`. */
  isShowable(args: StoredArgs): boolean;
  /** The fields it sets or agrees to: a change of these by another outbox is a conflict. */
  concerns(args: Args): readonly string[];
}

type Asking<Args> =
  | { via: 'patch'; patch(args: Args): OperationPatch }
  | { via: 'event'; event(args: Args): RecordedEvent };

/** How it is sent: as a patch of its package, as an event of it, or as a call of its own. */
type Rules<Args> = Common<Args> & (Asking<Args> | { via: 'call' });

/** `args`: their shape, as stored. A change needs a new `operationSchemaVersion`. */
type Described<Schema extends v.GenericSchema> = Common<v.InferOutput<Schema>> & { args: Schema };

const patching = <Schema extends v.GenericSchema>(
  rules: Described<Schema> & { patch(args: v.InferOutput<Schema>): OperationPatch },
) => ({ ...rules, via: 'patch' as const });
const recording = <Schema extends v.GenericSchema>(
  rules: Described<Schema> & { event(args: v.InferOutput<Schema>): RecordedEvent },
) => ({ ...rules, via: 'event' as const });
const calling = <Schema extends v.GenericSchema>(rules: Described<Schema>) => ({
  ...rules,
  via: 'call' as const,
});

export const isRecord = (value: unknown): value is StoredArgs =>
  typeof value === 'object' && value !== null;
const isPrice = (value: unknown) => typeof value === 'number' && Math.abs(value) < 1e12;
const areChanges = ({ changes }: StoredArgs) =>
  isRecord(changes) && (changes.priceOffer === undefined || isPrice(changes.priceOffer));

const baseVersion = v.optional(versionSchema);

/** Independent of the table of countries' numbers, so that queued operations stay readable. */
const storedPhone = v.pipe(v.string(), v.regex(/^\+[1-9]\d{7,14}$/));
const storedPackage = v.strictObject({
  ...createPackageSchema.entries,
  recipientPhone: storedPhone,
  senderId: v.optional(anyIdSchema),
});
const storedChanges = v.strictObject({
  ...packageChangesSchema.entries,
  recipientPhone: v.optional(storedPhone),
});
const storedProfile = v.strictObject({
  ...profileChangesSchema.entries,
  phoneNumber: v.optional(storedPhone),
});

/** A button without arguments. */
const button = {
  args: v.strictObject({}),
  target: 'package',
  input: 'button',
  needsProfile: false,
  isShowable: () => true,
  concerns: () => [],
} as const;

export const operations = {
  createPackage: calling({
    args: storedPackage,
    target: 'package',
    input: 'form',
    needsProfile: true,
    action: null,
    isShowable: ({ priceOffer }) => isPrice(priceOffer),
    concerns: () => [],
  }),
  editPackage: patching({
    args: v.strictObject({ changes: storedChanges, baseVersion }),
    target: 'package',
    input: 'form',
    needsProfile: false,
    action: 'editLate',
    isShowable: areChanges,
    concerns: ({ changes }) => Object.keys(changes),
    patch: ({ changes, baseVersion }) => ({ changes, baseVersion }),
  }),
  acceptPackage: patching({
    /** The courier as shown by the overlay, and the version whose terms they saw. */
    args: v.strictObject({ courier: anyPartySchema, baseVersion }),
    target: 'package',
    input: 'button',
    needsProfile: true,
    action: 'accept',
    isShowable: ({ courier }) => isRecord(courier),
    concerns: () => acceptTerms,
    patch: ({ courier, baseVersion }) => ({
      courier: partyFromWire(courier),
      courierId: courier._id,
      status: 'in-transit',
      changes: {},
      baseVersion,
    }),
  }),
  rejectDelivery: patching({
    ...button,
    action: 'reject',
    patch: () => ({ courierId: null, status: 'pending', changes: {} }),
  }),
  pickUp: recording({ ...button, action: 'pickUp', event: () => ({ type: 'picked_up' }) }),
  arrive: recording({ ...button, action: 'arrive', event: () => ({ type: 'arrived' }) }),
  failAttempt: recording({
    ...button,
    args: v.strictObject({ reason: reasonSchema, note: noneOr(paragraph(limits.notes)) }),
    action: 'failAttempt',
    isShowable: ({ reason }) => typeof reason === 'string',
    event: ({ reason, note }) => ({ type: 'attempt_failed', reason, note }),
  }),
  startReturn: recording({
    ...button,
    action: 'startReturn',
    event: () => ({ type: 'return_started' }),
  }),
  finishReturn: recording({
    ...button,
    /** The sender's, where a courier brings it back. */
    args: v.strictObject({ code: v.optional(codeSchema) }),
    action: 'finishReturn',
    event: ({ code }) => ({ type: 'returned', ...(code === undefined ? {} : { proof: { code } }) }),
  }),
  deliverPackage: recording({
    ...button,
    /** Cash is recorded with the delivery it was collected at: no balance moves. */
    args: v.strictObject({
      isCashCollected: v.optional(v.literal(true)),
      proof: v.optional(proofSchema),
    }),
    action: 'deliver',
    event: ({ isCashCollected, proof }) => ({
      type: 'delivered',
      ...(proof && { proof }),
      ...(isCashCollected && { cashCollected: true }),
    }),
  }),
  confirmDelivery: recording({
    ...button,
    action: 'confirm',
    event: () => ({ type: 'confirmed' }),
  }),
  correctStep: recording({
    ...button,
    /** The id of the event that is taken back, and how far the package was before, as far as known. */
    args: v.strictObject({
      corrects: idSchema,
      before: v.optional(
        v.strictObject({
          progress: v.picklist(progressSteps),
          attempts: v.number(),
          lastAttempt: v.nullable(v.strictObject({ reason: v.string(), at: v.string() })),
          paymentStatus: v.optional(v.literal('unpaid')),
        }),
      ),
    }),
    action: 'correct',
    isShowable: ({ corrects }) => typeof corrects === 'string',
    event: ({ corrects }) => ({ type: 'corrected', corrects }),
  }),
  /** The bytes of a photo or signature: in a lane of its own, as no event waits for them. */
  uploadProof: calling({
    ...button,
    args: v.strictObject({
      proofId: idSchema,
      kind: v.picklist(['photo', 'signature']),
      /** SHA-256 of the bytes, in base64. */
      digest: v.string(),
    }),
    action: null,
    isShowable: ({ proofId }) => typeof proofId === 'string',
  }),
  openDispute: calling({
    ...button,
    args: v.strictObject(disputeBodySchema),
    input: 'form',
    action: 'dispute',
    isShowable: ({ kind, text }) => typeof kind === 'string' && typeof text === 'string',
  }),
  deletePackage: calling({ ...button, action: 'delete' }),
  editProfile: calling({
    args: v.strictObject({ changes: storedProfile, baseVersion }),
    target: 'user',
    input: 'form',
    needsProfile: false,
    action: null,
    isShowable: areChanges,
    concerns: ({ changes }) => Object.keys(changes),
  }),
} as const satisfies Record<OperationName, unknown>;

type Operations = typeof operations;
export type OperationArgs<N extends OperationName> = v.InferOutput<Operations[N]['args']>;

/** Operations that need no arguments: a button has all there is to say. */
export type PlainName = {
  [N in OperationName]: Partial<OperationArgs<N>> extends OperationArgs<N> ? N : never;
}[OperationName];

/** Operations that neither patch their package nor record an event of it. */
export type CallName = {
  [N in OperationName]: Operations[N]['via'] extends 'call' ? N : never;
}[OperationName];

/**
 * Passed by a screen to the engine. `targetId`: the package's or, for a profile, the user's id.
 */
export type Intent = {
  [N in OperationName]: {
    name: N;
    targetId: string;
    args: OperationArgs<N>;
    /**
     * Number and description as the person saw them: after a lost race the mirror lacks the
     * package.
     */
    subject?: string;
  };
}[OperationName];

export type IntentOf<N extends OperationName> = Extract<Intent, { name: N }>;

/** `lastError.code` of an operation that depends on a refused one. */
export const dependsOnRefused = 'depends_on_refused';
/** `lastError.code` of an operation restored from quarantine. */
export const readableAgain = 'readable_again';

export interface OperationError {
  code: string;
  message: string;
  fields?: Record<string, string>;
  /** HTTP status; 0 without a response. */
  status: number;
  /** ISO 8601. */
  at: string;
}

/**
 * `waiting`: to be sent. `attention`: refused, or dependent on a refused one; out of the overlay
 * until the person decides.
 */
export type OperationState = 'waiting' | 'attention';

export type Operation = Intent & {
  /** UUID; the Idempotency-Key. */
  id: string;
  /** Order of intent on this device; assigned by the database, never from a clock. */
  seq: number;
  schemaVersion: number;
  state: OperationState;
  /** ISO 8601; for display, never for order. */
  createdAt: string;
  /** `createdAt` by the phone's clock, in operations from the package store: it never changes. */
  phoneTime?: string;
  tries: number;
  /** Attempts under previous ids: resending after attention creates a new id. */
  triesBefore?: number;
  lastError: OperationError | null;
};

export function isOperationName(name: string): name is OperationName {
  return Object.hasOwn(operations, name);
}

type RequestName = Exclude<OperationName, CallName>;
const rules: { [N in OperationName]: Rules<OperationArgs<N>> } = operations;
const asking: { [N in RequestName]: Asking<OperationArgs<N>> } = operations;

/** An intent's name with its arguments; of several operations, those of any. */
interface Asked<N extends OperationName> {
  name: N;
  args: OperationArgs<N>;
}

/** An operation that is a call of its own. */
export interface CallOf<N extends CallName> extends Asked<N> {
  id: string;
  targetId: string;
}

export const isCall = <I extends Intent>(intent: I): intent is Extract<I, { name: CallName }> =>
  operations[intent.name].via === 'call';

/** The pictures that prove it, which are sent after it. */
export function proofIdsOf({ name, args }: Intent): string[] {
  const { photoIds = [], signatureId } = (name === 'deliverPackage' && args.proof) || {};
  return signatureId === undefined ? photoIds : [...photoIds, signatureId];
}

export type OperationRequest =
  | { via: 'patch'; patch: OperationPatch }
  | { via: 'event'; event: RecordedEvent };

/** The request of an operation, in the domain's terms. */
export function requestOf<N extends RequestName>({ name, args }: Asked<N>): OperationRequest {
  const row: Asking<OperationArgs<N>> = asking[name];
  return row.via === 'patch'
    ? { via: 'patch', patch: row.patch(args) }
    : { via: 'event', event: row.event(args) };
}

/** The event that it records; null: another request. */
export function eventOf<N extends OperationName>({ name, args }: Asked<N>): RecordedEvent | null {
  const row: Rules<OperationArgs<N>> = rules[name];
  return row.via === 'event' ? row.event(args) : null;
}

/** The fields it sets or agrees to, by wire name. */
export function concernedFields<N extends OperationName>({
  name,
  args,
}: Asked<N>): readonly string[] {
  return rules[name].concerns(args);
}

/** The intent based on another version; unchanged if it has no base version. */
export function onVersion<I extends Intent>(intent: I, baseVersion: number): I {
  const isBased = 'baseVersion' in intent.args && intent.args.baseVersion !== undefined;
  return isBased ? { ...intent, args: { ...intent.args, baseVersion } } : intent;
}

export type OperationOf<N extends OperationName> = Extract<Operation, { name: N }>;

/** Operations of one lane are sent in order; lanes are independent. */
export function laneOf({
  name,
  targetId,
  args,
}: Pick<Operation, 'name' | 'targetId'> & { args?: Operation['args'] }): string {
  if (args !== undefined && 'proofId' in args) return proofLane(args.proofId);
  return `${operations[name].target}:${targetId}`;
}

/**
 * Is a waiting operation certainly unsent and not needed by another? The first of a lane may be in
 * flight: it is sent as soon as it is saved, and a failed attempt proves nothing.
 */
export function isCancellable(operation: Operation, all: readonly Operation[]): boolean {
  if (operation.state !== 'waiting' || operation.tries > 0) return false;
  const waiting = all.filter(({ state }) => state === 'waiting');
  const lane = laneOf(operation);
  const inLane = waiting.filter((each) => laneOf(each) === lane);
  const later = waiting.filter(({ seq }) => seq > operation.seq);
  const isProfileNeeded =
    operation.name === 'editProfile' && later.some(({ name }) => operations[name].needsProfile);
  return (
    inLane.some(({ seq }) => seq < operation.seq) &&
    !inLane.some(({ seq }) => seq > operation.seq) &&
    !isProfileNeeded
  );
}
