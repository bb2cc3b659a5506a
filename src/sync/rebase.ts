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

/**
 * `isOurs`: whether a change of this field to this value is our own doing. A contact that is
 * withheld on one of the two sides may have changed unseen, and counts as if it had.
 */
function stepBetween(
  before: Row,
  after: Row,
  isOurs: (field: string, value: unknown) => boolean,
): Step {
  const earlier = editable(before);
  const areContactsUnseen = isWithheld(before) || isWithheld(after);
  const foreignFields = new Set<string>();
  for (const [field, value] of editable(after)) {
    const isUnseen = areContactsUnseen && contactFields.has(field);
    const mayDiffer = isUnseen || !isSameValue(earlier.get(field), value);
    if (mayDiffer && !isOurs(field, value)) foreignFields.add(field);
  }
  return { fromVersion: before.version, toVersion: after.version, foreignFields };
}

/**
 * The steps that the acknowledgement of `own` made, from the row as mirrored. Nothing comes before a
 * create. None where the mirror has the version already: a pull that brought it has moved the queued
 * edits. Where it has no row, an edit is taken to have made the last step itself; a move is not, since
 * one that had happened already is answered with what others have made of the row.
 */
export function stepsOfAcknowledgement(
  own: Operation,
  before: Row | undefined,
  after: Row,
): Step[] {
  const toVersion = after.version;
  if (own.name === 'createPackage') {
    const foreignFields = new Set<string>();
    return Array.from({ length: toVersion }, (_, fromVersion) => ({
      ...{ fromVersion, toVersion, foreignFields },
    }));
  }
  const ours = changesOf(own);
  if (!before) {
    const step = { fromVersion: toVersion - 1, toVersion, foreignFields: new Set<string>() };
    return ours.size > 0 ? [step] : [];
  }
  if (before.version >= toVersion) return [];
  // The server may have tidied the value (trimmed it), so the field counts, not the value.
  return [stepBetween(before, after, (field) => ours.has(field))];
}

/** The step that a pull made, where `pending` are our operations that it may already contain. */
export function stepOfPull(before: Row, after: Row, pending: readonly Operation[]): Step {
  const ours = pending.map(changesOf);
  return stepBetween(before, after, (field, value) =>
    ours.some((changes) => changes.has(field) && isSameValue(changes.get(field), value)),
  );
}

/** At this version the row's `fields` are as we wrote them ourselves. */
export interface Written {
  version: number;
  fields: ReadonlySet<string>;
}

/** What the acknowledgement of `own` proves, whatever the mirror knows of the way there. */
export function writtenBy(own: Operation, { version }: Row): Written {
  return { version, fields: new Set(changesOf(own).keys()) };
}

/** Nobody types for so long that more than these have been made meanwhile. */
const keptSteps = 16;

/** With the steps that were just made; null: none were. */
export function knownSteps(
  lane: string,
  known: OwnSteps | undefined,
  steps: readonly Step[],
): OwnSteps | null {
  if (steps.length === 0) return null;
  return { lane, steps: [...(known?.steps ?? []), ...steps].slice(-keptSteps) };
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
 * The same operation on its newer base; null where it stays as it is. An edit of nothing but what
 * we have `written` ourselves replaces nobody else's, whatever else has changed since its base.
 */
export function rebased(
  operation: Operation,
  steps: readonly Step[],
  written?: Written,
): Operation | null {
  if (operation.name !== 'editPackage' && operation.name !== 'editProfile') return null;
  // Tried before, and since put behind others by the person: it stays the same request.
  if (operation.tries > 0) return null;
  const base = operation.args.baseVersion;
  if (base === undefined) return null;
  const fields = [...changesOf(operation).keys()];
  const step = steps.find(
    ({ fromVersion, toVersion, foreignFields }) =>
      fromVersion <= base && base < toVersion && fields.every((field) => !foreignFields.has(field)),
  );
  const isOverOwn =
    written && base < written.version && fields.every((field) => written.fields.has(field));
  const baseVersion = step?.toVersion ?? (isOverOwn ? written.version : null);
  if (baseVersion === null) return null;
  return onVersion(operation, baseVersion);
}
