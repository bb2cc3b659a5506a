/**
 * Lets a person resolve an edit refused because someone else changed the same fields. Pure.
 * Invariants: every field of the edit is offered, unless the server already has its value; a
 * resolution sends only the fields chosen as mine.
 */
import { isSameValue } from './location.ts';
import { nairaToKobo } from './money.ts';
import type { Intent, Operation } from './operation.ts';
import { type Package, packageToWire } from './package.ts';
import { type User, userToWire } from './user.ts';

export type Edit = Extract<Operation, { name: 'editPackage' | 'editProfile' }>;

export type Side = 'mine' | 'theirs';
export type Sides = Readonly<Record<string, Side>>;

/** One field as on the wire: naira, ISO 8601, null for none. */
export interface FieldChoice {
  field: string;
  mine: unknown;
  theirs: unknown;
  /** Someone else changed it too; otherwise only this edit does. */
  isContested: boolean;
}

/** A refused edit to be resolved field by field. */
export function isConflict(operation: Operation): operation is Edit {
  const isEdit = operation.name === 'editPackage' || operation.name === 'editProfile';
  return isEdit && operation.state === 'attention' && operation.lastError?.code === 'conflict';
}

/** A refused accept of a package whose terms changed: accept the new terms, or cancel. */
export function haveTermsChanged({ name, state, lastError }: Operation): boolean {
  return name === 'acceptPackage' && state === 'attention' && lastError?.code === 'conflict';
}

function isSame(field: string, mine: unknown, theirs: unknown): boolean {
  if (isSameValue(mine, theirs)) return true;
  if (field !== 'priceOffer' || typeof mine !== 'number' || typeof theirs !== 'number')
    return false;
  return nairaToKobo(mine) === nairaToKobo(theirs);
}

function wireOf(row: Package | User): Map<string, unknown> {
  return new Map<string, unknown>(
    Object.entries('sender' in row ? packageToWire(row) : userToWire(row)),
  );
}

/** The fields of `edit` that differ from `current`; all contested if the refusal names none. */
export function fieldChoices(edit: Edit, current: Package | User): FieldChoice[] {
  const theirs = wireOf(current);
  const named = edit.lastError?.fields ?? {};
  const changes = Object.entries(edit.args.changes).filter(([, mine]) => mine !== undefined);
  const isNamed = changes.some(([field]) => Object.hasOwn(named, field));
  return changes
    .filter(([field, mine]) => !isSame(field, mine, theirs.get(field)))
    .map(([field, mine]) => ({
      field,
      mine,
      theirs: theirs.get(field),
      isContested: !isNamed || Object.hasOwn(named, field),
    }));
}

/**
 * Default: theirs for contested fields, since a button pressed without reading must not undo
 * someone's work; mine for the others.
 */
export function sideOf(choice: FieldChoice, sides: Sides): Side {
  return sides[choice.field] ?? (choice.isContested ? 'theirs' : 'mine');
}

/** The resulting edit, based on the displayed version; null if nothing is mine. */
export function chosenEdit(edit: Edit, current: Package | User, sides: Sides): Intent | null {
  const mine = fieldChoices(edit, current).filter((choice) => sideOf(choice, sides) === 'mine');
  if (mine.length === 0) return null;
  const changes = Object.fromEntries(mine.map(({ field, mine: value }) => [field, value]));
  const args = { changes, baseVersion: current.version };
  return { name: edit.name, targetId: edit.targetId, args };
}
