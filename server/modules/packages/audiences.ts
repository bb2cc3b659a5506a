/**
 * A changed package for every reader, with as little work per reader as possible. What a reader sees
 * depends on their role and on whether they are its sender, its courier or neither, so the policy is
 * asked once for each of these audiences.
 */
import type { Area } from '#contract/area.ts';
import type { StreamedRemoval } from '#contract/stream.ts';
import { type Role, roles } from '#contract/user.ts';
import { type Actor, factsOf } from '#domain/policy.ts';
import { isElsewhere, isWithin } from '#domain/within-area.ts';
import type { ChangedPackage } from './package-delta.ts';
import { packageFor } from './package-view.ts';

export interface Reader {
  userId: string;
  role: Role;
  area: Area | null;
}

/** Facts about a change besides the row. */
export interface Reach {
  /** Did the row itself change, and not only the name or phone of its people? */
  isOwnChange: boolean;
  /** Was or is it on offer to all couriers? */
  couriers: boolean;
  /** Was its pickup elsewhere before? */
  hasMoved: boolean;
  /** The people of the row, before and after. */
  users: ReadonlySet<string>;
}

export interface Audiences {
  /** One letter: readers with the same get the same text. */
  letterFor(reader: Reader): string;
  /** The row as JSON for readers with this letter; '' where there is nothing to say. */
  textOf(letter: string): string;
}

export const nothing = '-';
const removal = 'r';
const relations = ['sender', 'courier', 'stranger'] as const;
type Relation = (typeof relations)[number];

const letterOf = (role: Role, relation: Relation) =>
  String.fromCharCode(65 + roles.indexOf(role) * relations.length + relations.indexOf(relation));

export function audiencesOf(found: ChangedPackage, reach: Reach): Audiences {
  const { pkg } = found;
  const facts = factsOf(pkg);
  const texts = new Map([[nothing, '']]);

  const seenBy = (letter: string, role: Role, id: string): boolean => {
    let text = texts.get(letter);
    if (text === undefined) {
      const actor: Actor = { id, role, isProfileComplete: true };
      const seen = packageFor(actor, found);
      text = seen === null ? '' : JSON.stringify(seen);
      texts.set(letter, text);
    }
    return text !== '';
  };

  /** May the reader have a row that is not, or no longer, for them? */
  const mayHave = ({ userId, role, area }: Reader, relation: Relation): boolean => {
    // Nothing came before the first version.
    if (!reach.isOwnChange || pkg.version <= 1) return false;
    if (role === 'Admin' || relation === 'sender') return true;
    if (role !== 'Employee') return false;
    const wasListed = reach.hasMoved || isWithin(area, pkg.pickupLocation);
    return (reach.couriers && wasListed) || reach.users.has(userId);
  };

  const relationOf = (userId: string): Relation => {
    if (userId === facts.senderId) return 'sender';
    return userId === facts.courierId ? 'courier' : 'stranger';
  };

  return {
    letterFor: (reader) => {
      const { userId, role, area } = reader;
      const relation = relationOf(userId);
      const letter = letterOf(role, relation);
      const isSeen = seenBy(letter, role, userId);
      if (isSeen && !isElsewhere({ id: userId }, area, facts, pkg.pickupLocation)) return letter;
      return mayHave(reader, relation) ? removal : nothing;
    },
    textOf: (letter) => {
      if (letter !== removal) return texts.get(letter) ?? '';
      const gone: StreamedRemoval = { _id: pkg.id, removed: true, version: pkg.version };
      return JSON.stringify(gone);
    },
  };
}
