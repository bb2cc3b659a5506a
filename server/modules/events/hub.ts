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

const changeSchema = v.object({ users: v.array(v.string()), couriers: v.boolean() });
type Change = v.InferOutput<typeof changeSchema>;

/** Null if it cannot be parsed: then everyone is notified. */
function readChange(payload: string): Change | null {
  try {
    const parsed = v.safeParse(changeSchema, JSON.parse(payload));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}

function concerns(change: Change, { userId, role }: Stream): boolean {
  if (role === 'Admin' || (change.couriers && role === 'Employee')) return true;
  return change.users.includes(userId) || change.users.includes('*');
}

export interface Hub {
  /** Returns a function that removes it. */
  add(stream: Stream): () => void;
  onMessage(payload: string): void;
  /** Notifications were lost: everyone is notified. */
  onGap(): void;
  endAll(): void;
  size(): number;
}

export function createHub(): Hub {
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
    add: (stream) => {
      const same = [...streams].filter(({ userId }) => userId === stream.userId);
      const surplus = same.slice(0, Math.max(0, same.length - streamsPerUser + 1));
      for (const old of surplus) old.end();
      streams.add(stream);
      return () => void streams.delete(stream);
    },
    onMessage: (payload) => {
      const change = readChange(payload);
      for (const stream of streams) if (!change || concerns(change, stream)) tell(stream);
    },
    onGap: () => {
      for (const stream of streams) tell(stream);
    },
    endAll: () => {
      for (const stream of [...streams]) stream.end();
    },
    size: () => streams.size,
  };
}
