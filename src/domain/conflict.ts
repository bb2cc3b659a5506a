/**
 * An edit that the server refused because someone else had changed the same fields: what is mine,
 * what is theirs, and the edit that a person's choice amounts to. Pure.
 *
 * Invariants: every field of the edit is offered, or is what the server has already; a choice sends
 * the fields that were chosen as mine and no others.
 */
import { isSameValue } from './location.ts';
import { nairaToKobo } from './money.ts';
import type { Intent, Operation } from './operation.ts';
import { type Package, packageToWire } from './package.ts';
import { type User, userToWire } from './user.ts';

export type Edit = Extract<Operation, { name: 'editPackage' | 'editProfile' }>;

export type Side = 'mine' | 'theirs';
export type Sides = Readonly<Record<string, Side>>;

/** One field as the wire has it: naira, ISO 8601, null for 'none'. */
export interface FieldChoice {
  field: string;
  mine: unknown;
  /** The server's present value. */
  theirs: unknown;
  /** Someone else changed it too; else only this edit would. */
  isContested: boolean;
}

/** A refused edit whose fields are to be chosen one by one. */
export function isConflict(operation: Operation): operation is Edit {
  const isEdit = operation.name === 'editPackage' || operation.name === 'editProfile';
  return isEdit && operation.state === 'attention' && operation.lastError?.code === 'conflict';
}

/** An accept of a package whose terms have changed: accept it as it is now, or cancel. */
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

/**
 * The fields of `edit` that would change something of `current`, the server's present row. Where
 * the refusal names none of them, all count as contested.
 */
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
 * What is chosen before anybody has: theirs where someone else changed the field, since a button
 * pressed without reading must not undo another's work; mine where only this edit touches it.
 */
export function sideOf(choice: FieldChoice, sides: Sides): Side {
  return sides[choice.field] ?? (choice.isContested ? 'theirs' : 'mine');
}

/** The edit that the choice amounts to, on the version that was in sight; null: nothing is mine. */
export function chosenEdit(edit: Edit, current: Package | User, sides: Sides): Intent | null {
  const mine = fieldChoices(edit, current).filter((choice) => sideOf(choice, sides) === 'mine');
  if (mine.length === 0) return null;
  const changes = Object.fromEntries(mine.map(({ field, mine: value }) => [field, value]));
  const args = { changes, baseVersion: current.version };
  return { name: edit.name, targetId: edit.targetId, args };
}
