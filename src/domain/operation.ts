/**
 * An operation: what a person meant, as data. One id per intent, kept across retries, reloads and
 * tabs; it is the Idempotency-Key of every try.
 *
 * `operations` says what is true of each; its names are the `OperationName` that the tables of the
 * other rooms must be complete in: how it is sent (sync/operations) and what is said of it
 * (en/operations).
 */
import * as v from 'valibot';
import { versionSchema } from '#contract/fields.ts';
import {
  createPackageSchema,
  type PatchPackageBody,
  packageChangesSchema,
} from '#contract/package.ts';
import { partySchema, profileChangesSchema } from '#contract/user.ts';
import type { OperationName } from './operation-names.ts';
import { acceptTerms } from './patch.ts';

/** Arguments of which nothing is certain but that they are a record. */
type StoredArgs = Readonly<Record<string, unknown>>;

interface Rules<Args extends v.GenericSchema> {
  /** The shape of `args`, as stored. A change of shape needs a new `operationSchemaVersion`. */
  args: Args;
  /** Whose row it changes: operations on one row go out one after another. */
  target: 'package' | 'user';
  /** A form keeps what was filled in until it is saved. */
  input: 'form' | 'button';
  /** Waits for an edit of the profile that goes out before it, where the profile is incomplete. */
  needsProfile: boolean;
  /** Only the courier of the package can mean it, and loses it with the package. */
  isCouriers: boolean;
  /** As much as the overlay and the screens rely on, at a hundredth of the price of `args`. */
  isShowable(args: StoredArgs): boolean;
  /** The fields that it sets or agrees to: what another outbox has changed of them is a conflict. */
  concerns(args: v.InferOutput<Args>): readonly string[];
  /** The body of its PATCH of the package. Null: another call. */
  patch: ((args: v.InferOutput<Args>) => PatchPackageBody) | null;
}

const patching = <Args extends v.GenericSchema>(
  rules: Rules<Args> & { patch(args: v.InferOutput<Args>): PatchPackageBody },
) => rules;
const calling = <Args extends v.GenericSchema>(rules: Rules<Args> & { patch: null }) => rules;

export const isRecord = (value: unknown): value is StoredArgs =>
  typeof value === 'object' && value !== null;
const isPrice = (value: unknown) => typeof value === 'number' && Math.abs(value) < 1e12;
const areChanges = ({ changes }: StoredArgs) =>
  isRecord(changes) && (changes.priceOffer === undefined || isPrice(changes.priceOffer));
const always = () => true;
const nothing = () => [];

const baseVersion = v.optional(versionSchema);
const none = v.strictObject({});

/** Only where it is known: an edit of something created offline has no version to name. */
const based = (body: PatchPackageBody, version: number | undefined): PatchPackageBody =>
  version === undefined ? body : { ...body, baseVersion: version };

export const operations = {
  createPackage: calling({
    args: createPackageSchema,
    target: 'package',
    input: 'form',
    needsProfile: true,
    isCouriers: false,
    isShowable: ({ priceOffer }) => isPrice(priceOffer),
    concerns: nothing,
    patch: null,
  }),
  editPackage: patching({
    args: v.strictObject({ changes: packageChangesSchema, baseVersion }),
    target: 'package',
    input: 'form',
    needsProfile: false,
    isCouriers: false,
    isShowable: areChanges,
    concerns: ({ changes }) => Object.keys(changes),
    patch: ({ changes, baseVersion }) => based(changes, baseVersion),
  }),
  acceptPackage: patching({
    /** Who accepts, as the overlay shows the courier; the version whose terms they saw. */
    args: v.strictObject({ courier: partySchema, baseVersion }),
    target: 'package',
    input: 'button',
    needsProfile: true,
    isCouriers: false,
    isShowable: ({ courier }) => isRecord(courier),
    concerns: () => acceptTerms,
    patch: ({ courier, baseVersion }) =>
      based({ deliveryPersonId: courier._id, deliveryStatus: 'In Transit' }, baseVersion),
  }),
  rejectDelivery: patching({
    args: none,
    target: 'package',
    input: 'button',
    needsProfile: false,
    isCouriers: true,
    isShowable: always,
    concerns: nothing,
    patch: () => ({ deliveryPersonId: null, deliveryStatus: 'Pending' }),
  }),
  deliverPackage: patching({
    args: none,
    target: 'package',
    input: 'button',
    needsProfile: false,
    isCouriers: true,
    isShowable: always,
    concerns: nothing,
    patch: () => ({ deliveryStatus: 'Delivered' }),
  }),
  deletePackage: calling({
    args: none,
    target: 'package',
    input: 'button',
    needsProfile: false,
    isCouriers: false,
    isShowable: always,
    concerns: nothing,
    patch: null,
  }),
  editProfile: calling({
    args: v.strictObject({ changes: profileChangesSchema, baseVersion }),
    target: 'user',
    input: 'form',
    needsProfile: false,
    isCouriers: false,
    isShowable: areChanges,
    concerns: ({ changes }) => Object.keys(changes),
    patch: null,
  }),
} as const satisfies Record<OperationName, unknown>;

type Operations = typeof operations;
export type OperationArgs<N extends OperationName> = v.InferOutput<Operations[N]['args']>;

/** Those that are not sent as a PATCH of their package. */
export type CallName = {
  [N in OperationName]: Operations[N]['patch'] extends null ? N : never;
}[OperationName];

/** What a screen hands to the engine. `targetId`: the package's id, or the user's for a profile. */
export type Intent = {
  [N in OperationName]: {
    name: N;
    targetId: string;
    args: OperationArgs<N>;
    /**
     * What it is about, for people: number and description as the person saw them. The mirror may
     * have forgotten the package by the time it is asked: a lost race takes it out of sight.
     */
    subject?: string;
  };
}[OperationName];

/** `lastError.code` of an operation that stood behind a refused one. */
export const dependsOnRefused = 'depends_on_refused';
/** `lastError.code` of an operation that came back from quarantine. */
export const readableAgain = 'readable_again';

/** Why an operation did not go through the last time it was tried. */
export interface OperationError {
  code: string;
  message: string;
  fields?: Record<string, string>;
  /** HTTP status; 0 where no answer came. */
  status: number;
  /** ISO 8601. */
  at: string;
}

/**
 * `waiting`: to be sent, however often it takes. `attention`: refused, or dependent on one that was;
 * out of the overlay until the person decides.
 */
export type OperationState = 'waiting' | 'attention';

export type Operation = Intent & {
  /** UUID; the Idempotency-Key. */
  id: string;
  /** Order of intent on this device; given by the database, never by a clock. */
  seq: number;
  schemaVersion: number;
  state: OperationState;
  /** ISO 8601; for people, never for order. */
  createdAt: string;
  tries: number;
  /** Tries of the same intent under former ids: each time the person has it sent anew it gets another. */
  triesBefore?: number;
  lastError: OperationError | null;
};

export function isOperationName(name: string): name is OperationName {
  return Object.hasOwn(operations, name);
}

/** The rules of one operation, for arguments of that operation. */
type RulesFor<I extends Intent> = Omit<Rules<v.GenericSchema>, 'concerns' | 'patch'> & {
  concerns(args: I['args']): readonly string[];
  patch: ((args: I['args']) => PatchPackageBody) | null;
};

// The compiler does not see that name and arguments belong together.
const rulesOf = <I extends Intent>({ name }: I) => operations[name] as unknown as RulesFor<I>;

/** The body of its PATCH of the package; null: it is another call. */
export function patchBodyOf(intent: Intent): PatchPackageBody | null {
  return rulesOf(intent).patch?.(intent.args) ?? null;
}

/** The fields that it sets or agrees to, as on the wire. */
export function concernedFields(intent: Intent): readonly string[] {
  return rulesOf(intent).concerns(intent.args);
}

/** The same as seen on another version; of what stands on none, itself. */
export function onVersion<I extends Intent>(intent: I, baseVersion: number): I {
  const isBased = 'baseVersion' in intent.args && intent.args.baseVersion !== undefined;
  return isBased ? { ...intent, args: { ...intent.args, baseVersion } } : intent;
}

export type OperationOf<N extends OperationName> = Extract<Operation, { name: N }>;

/** Operations of one lane go out one after another; lanes side by side. */
export function laneOf(operation: Pick<Operation, 'name' | 'targetId'>): string {
  return `${operations[operation.name].target}:${operation.targetId}`;
}

/**
 * Whether a waiting operation was certainly never sent and can be taken back without harm: another
 * one still waits before it in its lane, and none depends on it. The first of a lane may be on its
 * way, or have been: it is tried as soon as it is saved, and a try that failed proves nothing.
 */
export function isCancellable(operation: Operation, all: readonly Operation[]): boolean {
  if (operation.state !== 'waiting' || operation.tries > 0) return false;
  const waiting = all.filter(({ state }) => state === 'waiting');
  const lane = laneOf(operation);
  const inLane = waiting.filter((each) => laneOf(each) === lane);
  const later = waiting.filter(({ seq }) => seq > operation.seq);
  // Who completes a profile may create and accept by it.
  const isProfileNeeded =
    operation.name === 'editProfile' && later.some(({ name }) => operations[name].needsProfile);
  return (
    inLane.some(({ seq }) => seq < operation.seq) &&
    !inLane.some(({ seq }) => seq > operation.seq) &&
    !isProfileNeeded
  );
}
