/**
 * Reads and applies a recorded event, for the server, the phone's overlay and the fake server alike;
 * what each type means is its row in domain/event-types. The policy decides who may record it, and
 * from which step.
 */
import type { EventType, Progress, WireEvent } from '#contract/event.ts';
import { events, type RecordedEvent, rulesOfEvent } from './event-types.ts';
import { isSameValue } from './location.ts';
import type { StoredPackage } from './package.ts';
import type { PatchReading } from './patch.ts';
import { type Actor, can, type PackageAction } from './policy.ts';
import { type ProofCheck, picturesOf, readProof, wordOf } from './proof.ts';

/** The package after the event, which happened at `at` (ISO 8601). */
export function applyEvent(pkg: StoredPackage, event: RecordedEvent, at: string): StoredPackage {
  return { ...pkg, ...events[event.type].effect(pkg, event, at), updatedAt: at };
}

/** Allowed only if the policy allows it and it is proven. `at`: as for `applyEvent`. */
export function readEvent(
  actor: Actor,
  pkg: StoredPackage,
  event: RecordedEvent,
  { at, check }: { at: string; check: ProofCheck },
): PatchReading {
  const [action] = events[event.type].actions;
  const decision = can(actor, action, pkg);
  if (!decision.isAllowed) return decision;
  const actions: PackageAction[] = [action];
  if (event.cashCollected) {
    const isAllowed = can(actor, 'setPaymentStatus', pkg);
    if (!isAllowed.isAllowed) return isAllowed;
    if (pkg.paymentStatus !== 'paid') actions.push('setPaymentStatus');
  }
  const proven = readProof(actor, pkg, event, check);
  if (!proven.isAllowed) return proven;
  const next = applyEvent(pkg, event, at);
  if (event.type === 'delivered') {
    const missing = picturesOf(event.proof ?? {}).filter((id) => !check.isStored(id));
    next.photosMissing = missing.length;
    // A picture that never arrives shows nothing.
    const isShown = proven.verifiedBy !== 'photo' || missing.length === 0;
    next.verifiedBy = isShown ? proven.verifiedBy : null;
  }
  if (event.type === 'confirmed' && next.status === 'delivered') {
    next.verifiedBy = wordOf(actor, pkg);
  }
  return { isAllowed: true, actions, next, changed: [], agreedTo: [] };
}

/**
 * Allowed, as `isRepeat`, if another's `last` step says it already; null: it does not. A dispatcher
 * informed by phone has recorded it while the courier had no network.
 */
export function readRepeat(
  actor: Actor,
  pkg: StoredPackage,
  event: RecordedEvent,
  { at, last, check }: { at: string; last: Step | null; check: ProofCheck },
): PatchReading | null {
  // A step that a delivery overruled no longer says anything, once that is taken back.
  const isSaid =
    last !== null &&
    last.actorId !== actor.id &&
    events[event.type].coveredBy.includes(last.type) &&
    pkg.progress === rulesOfEvent(last.type).progress;
  if (!isSaid || actor.role !== 'Employee' || pkg.courierId !== actor.id) return null;
  // Otherwise a repeat would reveal the right code without counting as an attempt.
  const proven = event.type === 'delivered' ? readProof(actor, pkg, event, check) : null;
  if (proven?.isAllowed === false && proven.code === 'wrong_code') return proven;
  // The cash that only its courier knows of.
  const isPaid =
    event.cashCollected &&
    pkg.paymentStatus !== 'paid' &&
    can(actor, 'setPaymentStatus', pkg).isAllowed;
  return {
    isAllowed: true,
    isRepeat: true,
    actions: isPaid ? ['setPaymentStatus'] : [],
    next: { ...pkg, ...(isPaid && { paymentStatus: 'paid' as const }), updatedAt: at },
    changed: [],
    agreedTo: [],
  };
}

/** Fields that a step may change; `before` keeps their former values. None: it repeats a step. */
const undone = [
  'status',
  'progress',
  'attempts',
  'lastAttempt',
  'outcome',
  'deliveredAt',
  'verifiedBy',
  'photosMissing',
  'paymentStatus',
] as const;
export type StepBefore = Partial<Pick<StoredPackage, (typeof undone)[number]>>;

/** Kept with a step, so that it can be taken back. */
export function stepBefore(before: StoredPackage, after: StoredPackage): StepBefore {
  const changed = undone.filter((name) => !isSameValue(before[name], after[name]));
  return Object.fromEntries(changed.map((name) => [name, before[name]]));
}

/** Has a dispatcher decided since the package's last step? That is the end for both sides. */
export const isDecidedAfter = (
  past: readonly { type: string; isRepeat?: boolean | undefined }[],
): boolean =>
  past.findLast(
    ({ type, isRepeat }) => !isRepeat && (type === 'resolved' || rulesOfEvent(type).isMoving),
  )?.type === 'resolved';

/** How long people may take back what they recorded. */
export const correctableMs = 10 * 60_000;

export interface Step {
  id: string;
  type: EventType;
  actorId: string | null;
  receivedAt: Date;
  /** Null: recorded before this was kept. */
  before: StepBefore | null;
}

/** Has another confirmed the delivery since? Then it is not its courier's alone to take back. */
function isVouchedFor(
  actor: Actor,
  { verifiedBy, senderId }: Pick<StoredPackage, 'verifiedBy' | 'senderId'>,
  { type }: Pick<Step, 'type'>,
): boolean {
  const isAnothers = verifiedBy === 'sender' || verifiedBy === 'admin';
  return type === 'delivered' && isAnothers && wordOf(actor, { senderId }) !== verifiedBy;
}

/** `last`: the last step of the package that was not taken back. `now`: by the server. */
export function readCorrection(
  actor: Actor,
  pkg: StoredPackage,
  { corrects, last }: { corrects: string | undefined; last: Step | null },
  now: Date,
): PatchReading {
  const decision = can(actor, 'correct', pkg);
  if (!decision.isAllowed) return decision;
  const isLast = last !== null && last.id === corrects && rulesOfEvent(last.type).isCorrectable;
  if (!isLast || last.before === null) return { isAllowed: false, code: 'invalid_state' };
  if (actor.role !== 'Admin') {
    if (last.actorId !== actor.id) return { isAllowed: false, code: 'forbidden' };
    const isLate = now.getTime() - last.receivedAt.getTime() > correctableMs;
    if (isLate || isVouchedFor(actor, pkg, last)) return { isAllowed: false, code: 'too_late' };
  }
  // A dispatcher takes back the word on the delivery as well, and what was shown.
  const unsaid = last.type === 'delivered' ? { verifiedBy: null, photosMissing: 0 } : {};
  const next = { ...pkg, ...last.before, ...unsaid, updatedAt: now.toISOString() };
  return { isAllowed: true, actions: ['correct'], next, changed: [], agreedTo: [] };
}

/** How far a package was; and unpaid, if the step took the cash as well. */
export type Way = Pick<StoredPackage, 'attempts' | 'lastAttempt'> & {
  progress: Progress;
  paymentStatus?: 'unpaid';
};

/** How far it was before this step, as far as its events tell; null: they do not. */
export function wayBefore(history: readonly WireEvent[], stepId: string): Way | null {
  const end = history.findIndex(({ _id }) => _id === stepId);
  const past = history.slice(0, Math.max(end, 0)).filter(({ correctedBy }) => !correctedBy);
  const progress = past.map(({ type }) => rulesOfEvent(type).progress).findLast(Boolean);
  const failed = past.filter(({ type }) => type === 'attempt_failed');
  const last = failed.at(-1);
  if (!progress) return null;
  const lastAttempt = last ? { reason: last.reason ?? 'other', at: last.effectiveAt } : null;
  const step = history[end];
  const isCash = history.some(
    ({ type, receivedAt }) => type === 'paid' && receivedAt === step?.receivedAt,
  );
  return {
    progress,
    attempts: failed.length,
    lastAttempt,
    ...(isCash ? { paymentStatus: 'unpaid' } : {}),
  };
}
