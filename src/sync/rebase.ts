/**
 * Keeping our own edits from conflicting with ourselves. An edit carries the version it was made
 * on; once an earlier operation of ours has moved the row on, that version is out of date through
 * our own doing, and the server would refuse the edit as a conflict with somebody else.
 *
 * A queued edit moves to the newer version exactly when nothing that it edits was changed by
 * anybody else on the way. Otherwise it keeps its base, and the server's refusal is a true one.
 *
 * Invariant: only an operation that was certainly never sent is rewritten (one that stands behind
 * another in its lane): a repeat under the same Idempotency-Key must be the same request.
 */
import { packageFields } from '#contract/package.ts';
import { profileChangesSchema } from '#contract/user.ts';
import type { OwnSteps, Step } from '#db/user-database.ts';
import { isSameValue } from '#domain/location.ts';
import { type Intent, type Operation, onVersion } from '#domain/operation.ts';
import { packageToWire } from '#domain/package.ts';
import { userToWire } from '#domain/user.ts';
import type { Row } from './mirror.ts';

const profileFields = Object.keys(profileChangesSchema.entries);

/** The row's editable fields by the names that edits use. */
function editable(row: Row): Map<string, unknown> {
  const [names, wire] =
    'sender' in row ? [packageFields, packageToWire(row)] : [profileFields, userToWire(row)];
  const values = new Map<string, unknown>(Object.entries(wire));
  return new Map(names.map((name) => [name, values.get(name)]));
}

/** What an operation sets of the editable fields; empty for all but edits. */
function changesOf(operation: Intent): Map<string, unknown> {
  if (operation.name !== 'editPackage' && operation.name !== 'editProfile') return new Map();
  const entries = Object.entries(operation.args.changes);
  return new Map(entries.filter(([, value]) => value !== undefined));
}

const contactFields: ReadonlySet<string> = new Set(['recipientPhone', 'recipientEmail']);

/** Who may not see the contacts of a package is told null of both, whatever they are. */
const isWithheld = (row: Row) => 'sender' in row && row.recipientPhone === null;

/** The steps that one answer made, and what it proves: at `toVersion` these fields are as we wrote them. */
export interface Advance {
  steps: readonly Step[];
  toVersion: number;
  ownFields: ReadonlySet<string>;
}

/**
 * `isOurs`: whether a change of this field to this value is our own doing. A contact that is
 * withheld on one of the two sides may have changed unseen, and counts as if it had.
 */
function advanceBetween(
  before: Row,
  after: Row,
  isOurs: (field: string, value: unknown, isUnseen: boolean) => boolean,
): Advance {
  const earlier = editable(before);
  const areContactsUnseen = isWithheld(before) || isWithheld(after);
  const foreignFields = new Set<string>();
  const ownFields = new Set<string>();
  for (const [field, value] of editable(after)) {
    const isUnseen = areContactsUnseen && contactFields.has(field);
    const mayDiffer = isUnseen || !isSameValue(earlier.get(field), value);
    if (mayDiffer) (isOurs(field, value, isUnseen) ? ownFields : foreignFields).add(field);
  }
  const { version: toVersion } = after;
  return {
    steps: [{ fromVersion: before.version, toVersion, foreignFields }],
    toVersion,
    ownFields,
  };
}

/**
 * What the acknowledgement of `own` made, from the row as mirrored. Nothing comes before a create.
 * No steps where the mirror has the version already: a pull that brought it has moved the queued
 * edits. Where it has no row, an edit is taken to have made the last step itself; a move is not, since
 * one that had happened already is answered with what others have made of the row.
 */
export function advanceOfAcknowledgement(
  own: Operation,
  before: Row | undefined,
  after: Row,
): Advance {
  const toVersion = after.version;
  // The server may have tidied the value (trimmed it), so the field counts, not the value.
  const ownFields = new Set(changesOf(own).keys());
  const foreignFields = new Set<string>();
  const from = (fromVersion: number): Step => ({ fromVersion, toVersion, foreignFields });
  const ends = { toVersion, ownFields };
  if (own.name === 'createPackage') {
    return { ...ends, steps: Array.from({ length: toVersion }, (_, nth) => from(nth)) };
  }
  if (!before) return { ...ends, steps: ownFields.size > 0 ? [from(toVersion - 1)] : [] };
  if (before.version >= toVersion) return { ...ends, steps: [] };
  return { ...advanceBetween(before, after, (field) => ownFields.has(field)), ownFields };
}

/** What a pull made, where `sent` are our operations that it may already contain. */
export function advanceOfPull(before: Row, after: Row, sent: readonly Operation[]): Advance {
  const ours = sent.map(changesOf);
  const isOurs = (field: string, value: unknown) =>
    ours.some((changes) => changes.has(field) && isSameValue(changes.get(field), value));
  // The null of a contact that is withheld is nobody's value.
  return advanceBetween(
    before,
    after,
    (field, value, isUnseen) => !isUnseen && isOurs(field, value),
  );
}

/** Nobody types for so long that more than these have been made meanwhile. */
const keptSteps = 16;

/**
 * The known steps and those of `advance`. A known one that ends where `advance` begins goes on with
 * it, and what others had changed on its way is ours again once we have written over it.
 */
export function continued(known: OwnSteps | undefined, advance: Advance): Step[] {
  const { steps, toVersion, ownFields } = advance;
  const earlier = (known?.steps ?? []).map((step) => {
    const next = steps.find(({ fromVersion }) => fromVersion === step.toVersion);
    if (!next && step.toVersion !== toVersion) return step;
    const foreign = [...step.foreignFields].filter((field) => !ownFields.has(field));
    const foreignFields = new Set([...foreign, ...(next?.foreignFields ?? [])]);
    return { fromVersion: step.fromVersion, toVersion, foreignFields };
  });
  return [...earlier, ...steps].slice(-keptSteps);
}

/**
 * Where an edit goes that was made on `base`: as far as the known steps lead on from it without
 * anybody else's change of a field that it edits.
 */
export function onwards(edit: Intent, base: number, steps: readonly Step[]): number {
  const fields = [...changesOf(edit).keys()];
  const next = steps.findLast(
    ({ fromVersion, toVersion, foreignFields }) =>
      fromVersion <= base && base < toVersion && fields.every((field) => !foreignFields.has(field)),
  );
  return next ? onwards(edit, next.toVersion, steps) : base;
}

/**
 * The same operation on its newer base; null where it stays as it is. `steps` are those that
 * `advance` continued. An edit of nothing but what we have written ourselves replaces nobody else's, whatever
 * else has changed since its base.
 */
export function rebased(
  operation: Operation,
  advance: Advance,
  steps: readonly Step[],
): Operation | null {
  if (operation.name !== 'editPackage' && operation.name !== 'editProfile') return null;
  // Tried before, and since put behind others by the person: it stays the same request.
  if (operation.tries > 0) return null;
  const base = operation.args.baseVersion;
  const { toVersion, ownFields } = advance;
  if (base === undefined || base >= toVersion) return null;
  const isOverOwn = [...changesOf(operation).keys()].every((field) => ownFields.has(field));
  // What was put back behind others was meant before them: what they wrote over is not its own.
  const isPutBack = operation.triesBefore !== undefined;
  const way = isPutBack ? advance.steps : steps;
  const reached = isOverOwn ? toVersion : onwards(operation, base, way);
  return reached > base ? onVersion(operation, reached) : null;
}
