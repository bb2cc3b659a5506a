/**
 * Who listens for changes at this process. Triggers say on channel `kaya_changes` whom a change
 * concerns (server/migrations, 0001); this passes it on to their streams, whichever process they
 * are connected to. A stream is told only that something changed, so telling too many costs a pull
 * and tells nothing; telling too few costs a minute, until the next pull.
 */
import * as v from 'valibot';
import type { Role } from '#contract/user.ts';

/** What is told at most this often to one stream. */
const coalesceMs = 200;
/** Streams of one user; a further one ends the oldest. */
export const streamsPerUser = 6;

/** What ends in a socket. */
export interface Stream {
  userId: string;
  role: Role;
  tell(): void;
  end(): void;
}

const changeSchema = v.object({ users: v.array(v.string()), couriers: v.boolean() });
type Change = v.InferOutput<typeof changeSchema>;

/** Null where it cannot be read: then everybody is told. */
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
  /** The answer takes it out again. */
  add(stream: Stream): () => void;
  onMessage(payload: string): void;
  /** Whatever was said meanwhile is lost: everybody is told. */
  onGap(): void;
  endAll(): void;
  /** Streams that are in it. */
  size(): number;
}

export function createHub(): Hub {
  /** In the order of their coming. */
  const streams = new Set<Stream>();
  /** The streams that have been told within `coalesceMs`; true: there was more since. */
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
