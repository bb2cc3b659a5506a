/**
 * An operation: what a person meant, as data (DESIGN.md section 5). One id per intent, kept across
 * retries, reloads and tabs; it is the Idempotency-Key of every try.
 *
 * Adding one: its row in `operationArgs`, its overlay in domain/overlay, its sending in
 * sync/operations, its words where the screens are.
 */
import * as v from 'valibot';
import { versionSchema } from '#contract/fields.ts';
import { createPackageSchema, packageChangesSchema } from '#contract/package.ts';
import { partySchema, profileChangesSchema } from '#contract/user.ts';

/** The shape of `args` per operation, as stored. A change of shape needs a new schemaVersion. */
export const operationArgs = {
  createPackage: createPackageSchema,
  editPackage: v.strictObject({
    changes: packageChangesSchema,
    baseVersion: v.optional(versionSchema),
  }),
  /** Who accepts, as the overlay shows the courier; the version whose bargain they saw. */
  acceptPackage: v.strictObject({
    courier: partySchema,
    baseVersion: v.optional(versionSchema),
  }),
  rejectDelivery: v.strictObject({}),
  deliverPackage: v.strictObject({}),
  deletePackage: v.strictObject({}),
  editProfile: v.strictObject({
    changes: profileChangesSchema,
    baseVersion: v.optional(versionSchema),
  }),
} as const;

export const operationSchemaVersion = 2;

export type OperationName = keyof typeof operationArgs;
export type OperationArgs<N extends OperationName> = v.InferOutput<(typeof operationArgs)[N]>;

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
 * `waiting`: to be sent, however often it takes. `attention`: refused (or it leaned on one that
 * was); out of the overlay, until the person decides.
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

/** The same as seen on another version; of what stands on none, itself. */
export function onVersion<I extends Intent>(intent: I, baseVersion: number): I {
  const isBased = 'baseVersion' in intent.args && intent.args.baseVersion !== undefined;
  return isBased ? { ...intent, args: { ...intent.args, baseVersion } } : intent;
}

/** Operations of one lane go out one after another; lanes go side by side. */
export function laneOf(operation: Pick<Operation, 'name' | 'targetId'>): string {
  return `${operation.name === 'editProfile' ? 'user' : 'package'}:${operation.targetId}`;
}

/**
 * Whether a waiting operation was certainly never sent and can be taken back without harm: another
 * one still waits before it in its lane, and nothing leans on it. The first of a lane may be on its
 * way, or have been: it is tried as soon as it is saved, and a try that failed proves nothing.
 * `operations`: all that there are.
 */
export function isWithdrawable(operation: Operation, operations: readonly Operation[]): boolean {
  if (operation.state !== 'waiting' || operation.tries > 0) return false;
  const waiting = operations.filter(({ state }) => state === 'waiting');
  const lane = laneOf(operation);
  const inLane = waiting.filter((each) => laneOf(each) === lane);
  const later = waiting.filter(({ seq }) => seq > operation.seq);
  // Who completes a profile may create and accept by it.
  const isProfileNeeded =
    operation.name === 'editProfile' &&
    later.some(({ name }) => name === 'createPackage' || name === 'acceptPackage');
  return (
    inLane.some(({ seq }) => seq < operation.seq) &&
    !inLane.some(({ seq }) => seq > operation.seq) &&
    !isProfileNeeded
  );
}
