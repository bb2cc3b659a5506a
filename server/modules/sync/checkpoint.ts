/**
 * The checkpoint of a stream of rows: how far its reader has got, opaque to its reader. It names role and epoch, since batches
 * may be applied after a pull that is newer than they are: the cursor of another role or epoch
 * cannot remove the rows they brought back; only a full list does.
 */
import { type Role, roles } from '#contract/user.ts';
import { isSnapshot } from './snapshot.ts';

export interface Checkpoint {
  role: Role;
  epoch: string;
  snapshot: string;
}

export function writeCheckpoint({ role, epoch, snapshot }: Checkpoint): string {
  return `${role.charAt(0)}.${epoch}.${snapshot}`;
}

/** Null: not of this server. */
export function readCheckpoint(text: string): Checkpoint | null {
  const [letter, epoch, snapshot, ...rest] = text.split('.');
  const role = roles.find((one) => one.charAt(0) === letter);
  if (!role || !epoch || snapshot === undefined || rest.length > 0) return null;
  return isSnapshot(snapshot) ? { role, epoch, snapshot } : null;
}
