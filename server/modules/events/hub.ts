/**
 * Tells this process's streams to pull. A stream learns only that something changed: notifying too
 * many costs a pull and reveals nothing; missing one delays it by a minute, until the next pull.
 */
import type { Role } from '#contract/user.ts';
import { mustPull, type Notification } from './notification.ts';

const coalesceMs = 200;
/** Streams per user; another one ends the oldest. */
export const streamsPerUser = 6;

export interface Stream {
  userId: string;
  role: Role;
  /** Does it carry rows (feed.ts)? */
  hasRows: boolean;
  /** Sends `change`. */
  tell(): void;
  end(): void;
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
    /** Null: unreadable or lost, so everyone is notified. */
    hear: (notification: Notification | null) => {
      for (const stream of streams) if (mustPull(notification, stream)) tell(stream);
    },
    endAll: () => {
      for (const stream of [...streams]) stream.end();
    },
    size: () => {
      let rows = 0;
      for (const { hasRows } of streams) if (hasRows) rows += 1;
      return { plain: streams.size - rows, rows };
    },
  };
}
