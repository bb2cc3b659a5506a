/**
 * Passes changes to this process's streams. Triggers publish on channel `kaya_changes` whom a
 * change concerns (server/migrations, 0001). A stream learns only that something changed: notifying
 * too many costs a pull and reveals nothing; missing one delays it by a minute, until the next
 * pull.
 */
import * as v from 'valibot';
import type { Role } from '#contract/user.ts';

const coalesceMs = 200;
/** Streams per user; another one ends the oldest. */
export const streamsPerUser = 6;

export interface Stream {
  userId: string;
  role: Role;
  tell(): void;
  end(): void;
}

const changeSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ users: v.array(v.string()), couriers: v.boolean() }),
);
type Change = v.InferOutput<typeof changeSchema>;

function concerns(change: Change, { userId, role }: Stream): boolean {
  if (role === 'Admin' || (change.couriers && role === 'Employee')) return true;
  return change.users.includes(userId) || change.users.includes('*');
}

export function createHub() {
  const streams = new Set<Stream>();
  /** Streams notified within `coalesceMs`; true: another change followed. */
  const resting = new Map<Stream, boolean>();

  const tell = (stream: Stream): void => {
    if (resting.has(stream)) {
      resting.set(stream, true);
      return;
    }
    resting.set(stream, false);
    stream.tell();
    setTimeout(() => {
      const hasMore = resting.get(stream);
      resting.delete(stream);
      if (hasMore && streams.has(stream)) tell(stream);
    }, coalesceMs).unref();
  };

  return {
    /** Returns a function that removes it. */
    add: (stream: Stream) => {
      const same = [...streams].filter(({ userId }) => userId === stream.userId);
      const surplus = same.slice(0, Math.max(0, same.length - streamsPerUser + 1));
      for (const old of surplus) old.end();
      streams.add(stream);
      return () => void streams.delete(stream);
    },
    onMessage: (payload: string) => {
      const change = v.safeParse(changeSchema, payload);
      // Whom an unreadable one concerns is unknown.
      for (const stream of streams) {
        if (!change.success || concerns(change.output, stream)) tell(stream);
      }
    },
    /** Notifications were lost: everyone is notified. */
    onGap: () => {
      for (const stream of streams) tell(stream);
    },
    endAll: () => {
      for (const stream of [...streams]) stream.end();
    },
    size: () => streams.size,
  };
}
