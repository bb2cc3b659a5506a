/** How far the mirror has got with a list. */
import { packageSchema } from '#contract/package.ts';
import { userSchema } from '#contract/user.ts';
import type { ListName, ListState, UserDatabase } from '#db/user-database.ts';

const fieldsOf = ({ entries }: { entries: object }) => Object.keys(entries).join(' ');

/**
 * Rows mirrored before a field was added lack it until they change, so a cursor is valid only for
 * rows with today's fields.
 */
export const shapes: Record<ListName, string> = {
  packages: fieldsOf(packageSchema),
  users: fieldsOf(userSchema),
};

export const beginning = (list: ListName): ListState => ({
  list,
  cursor: '',
  fullPages: null,
  shape: shapes[list],
});

/** The stored state, or the beginning if there is none of today's shape. */
export async function readListState(db: UserDatabase, list: ListName): Promise<ListState> {
  const stored = await db.lists.get(list);
  return stored?.shape === shapes[list] ? stored : beginning(list);
}
