/**
 * Every type of event, once: a row has its action, its effect on the package, and the rules that apply
 * to it afterwards. Its words are in messages, its icon is the timeline's, by the same key.
 */
import type { EventType, Progress, RecordEventBody, RecordedType } from '#contract/event.ts';
import { type StoredPackage, trackingAfter } from './package.ts';
import { applyPatch } from './patch.ts';
import type { PackageAction } from './policy.ts';
import { claimOf } from './proof.ts';

export type RecordedEvent = Pick<
  RecordEventBody,
  'type' | 'reason' | 'note' | 'courierId' | 'proof' | 'cashCollected' | 'corrects'
>;

interface EventRules {
  /** The actions that it records; none: it depends on what changed, or nobody acted on the package. */
  actions: readonly PackageAction[];
  /** It moves a package: only the last of them can be taken back. */
  isMoving: boolean;
  /** Its author may take the event back for a while (`correctableMs`). */
  isCorrectable: boolean;
  /** The steps of a delivery are ahead again. */
  isTurn: boolean;
  /** Nothing follows, unless it is taken back or reopened. */
  isEnd: boolean;
  /** How far a package is after it; null: as far as before, or no longer in transit. */
  progress: Progress | null;
  /** The steps of someone else that say a courier's own already: the same, or a later one. */
  coveredBy: readonly EventType[];
}

/** People record it. */
interface RecordedRules extends EventRules {
  actions: readonly [PackageAction];
  /** A code, scan or picture can say something about it. */
  takesProof: boolean;
  /** The fields that it changes; it happened at `at` (ISO 8601). */
  effect(pkg: StoredPackage, event: RecordedEvent, at: string): Partial<StoredPackage>;
}

/** It moves nothing. */
const note = {
  actions: [],
  isMoving: false,
  isCorrectable: false,
  isTurn: false,
  isEnd: false,
  progress: null,
  coveredBy: [],
} as const;
const move = { ...note, isMoving: true } as const;
const turn = { ...move, isTurn: true } as const;
/** A step that the package's courier records and may take back. */
const step = { ...move, isCorrectable: true, takesProof: false } as const;

export const events: Record<RecordedType, RecordedRules> & Record<EventType, EventRules> = {
  created: note,
  edited: { ...note, actions: ['edit', 'editLate'] },
  offer_changed: note,
  paid: { ...note, actions: ['pay'] },
  refunded: { ...note, actions: ['refund'] },
  disputed: { ...note, actions: ['dispute'] },
  resolved: { ...note, actions: ['resolve'] },
  recipient_note: note,

  accepted: { ...turn, actions: ['accept'], progress: 'accepted' },
  assigned: { ...turn, actions: ['assign'], progress: 'accepted' },
  unassigned: { ...turn, actions: ['reject'] },
  reopened: { ...turn, actions: ['reopen'] },
  cancelled: { ...move, actions: ['cancel'], isEnd: true },

  picked_up: {
    ...step,
    actions: ['pickUp'],
    progress: 'picked_up',
    coveredBy: ['picked_up', 'return_started', 'returned', 'delivered'],
    effect: () => ({ progress: 'picked_up' }),
  },
  arrived: {
    ...step,
    actions: ['arrive'],
    progress: 'arrived',
    coveredBy: ['return_started', 'returned', 'delivered'],
    effect: () => ({ progress: 'arrived' }),
  },
  attempt_failed: {
    ...step,
    actions: ['failAttempt'],
    progress: 'attempted',
    takesProof: true,
    coveredBy: ['return_started', 'returned', 'delivered'],
    effect: ({ attempts }, { reason = null }, at) => ({
      progress: 'attempted',
      attempts: attempts + 1,
      lastAttempt: { reason: reason ?? 'other', at },
    }),
  },
  return_started: {
    ...step,
    actions: ['startReturn'],
    progress: 'returning',
    coveredBy: ['return_started', 'returned'],
    effect: () => ({ progress: 'returning' }),
  },
  returned: {
    ...step,
    actions: ['finishReturn'],
    isCorrectable: false,
    isEnd: true,
    takesProof: true,
    coveredBy: ['returned'],
    effect: (pkg, _, at) => ({
      ...trackingAfter(pkg, 'cancelled', at),
      status: 'cancelled',
      outcome: 'returned',
    }),
  },
  delivered: {
    ...step,
    actions: ['deliver'],
    isEnd: true,
    takesProof: true,
    coveredBy: ['delivered'],
    effect: (pkg, { proof, cashCollected }, at) => ({
      ...trackingAfter(pkg, 'delivered', at),
      status: 'delivered',
      verifiedBy: claimOf(proof),
      ...(cashCollected && { paymentStatus: 'paid' }),
    }),
  },
  confirmed: {
    ...note,
    actions: ['confirm'],
    takesProof: false,
    // A return has nothing to verify: the word settles its money.
    effect: ({ status }) => (status === 'delivered' ? { verifiedBy: 'sender' } : {}),
  },
  handover: {
    ...turn,
    actions: ['handOver'],
    takesProof: false,
    // As by a PATCH: what a courier set goes with that courier.
    effect: (pkg, { courierId }, at) => applyPatch(pkg, { courierId, changes: {} }, at),
  },
  corrected: {
    ...note,
    actions: ['correct'],
    takesProof: false,
    // Only the server knows what was before.
    effect: () => ({}),
  },
};

/** False: of a later version, and not for this one to tell. */
export const isEventType = (type: string): type is EventType => Object.hasOwn(events, type);

/** Rules for an event that was stored or received; a type of a later version moves nothing. */
export const rulesOfEvent = (type: string): EventRules => (isEventType(type) ? events[type] : note);

const typeOfAction = new Map(
  (Object.keys(events) as EventType[]).flatMap((type) =>
    events[type].actions.map((action) => [action, type] as const),
  ),
);

/** The type that records an action; undefined: none, or it depends on what the action changed. */
export const eventTypeOf = (action: PackageAction): EventType | undefined =>
  typeOfAction.get(action);
