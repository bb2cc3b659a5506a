/**
 * The streams of recipients' pages: a link has the recipient and a few of those they forwarded it to. When
 * it changes it is read and rendered once, and all get the same bytes.
 *
 *   notification ─▶ changed links ─(200 ms)─▶ read, one after another ─▶ differs? ─▶ written to readers
 *   every 15 s ─▶ positions of all couriers on show, in one query ─▶ rendered with what was read ─┘
 */
import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { isCollected } from '#domain/package-state.ts';
import type { TimeLimits } from '#server/config/timeouts.ts';
import type { Database } from '#server/database/database.ts';
import { heartbeat, writeOrCut } from '#server/http/event-stream.ts';
import type { Notification } from '#server/modules/events/notification.ts';
import { type Link, type OpenLink, openLink } from './links.ts';
import { positionsOf } from './repository.ts';
import type { Words } from './words.ts';

const gatherMs = 200;
const afterFailureMs = 2_000;
/** Unsent bytes after which a slow reader is disconnected; it reconnects and gets the current page. */
const backlogBytes = 64 * 1024;
/** Streams per link and process; further readers get the page without a stream. */
const mostReaders = 100;

interface Watched {
  /** All readers have what it shows. */
  link: OpenLink;
  readers: Map<ServerResponse, Words>;
}

interface Needs {
  db: Database;
  read(token: string): Promise<Link>;
  now: () => Date;
  tiles: readonly string[];
  times: Pick<TimeLimits, 'heartbeatMs' | 'lookMs'>;
  onFailure(error: unknown): void;
}

export function createTrackingStreams(needs: Needs) {
  const { db, read, now, tiles, times, onFailure } = needs;
  const all = new Map<string, Watched>();
  const changed = new Set<string>();
  let heard = 0;
  let isStopped = false;
  let isLookDue = false;
  let hasFailed = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  const endLink = (token: string) => {
    for (const response of all.get(token)?.readers.keys() ?? []) response.end();
    all.delete(token);
  };

  const show = (watched: Watched, link: OpenLink) => {
    const before = watched.link;
    watched.link = link;
    for (const [response, words] of watched.readers) {
      const event = link.eventIn(words);
      if (!event.equals(before.eventIn(words))) writeOrCut(response, backlogBytes, event);
    }
  };

  const refresh = async (token: string) => {
    const watched = all.get(token);
    if (!watched) return;
    const link = await read(token);
    if (link.kind === 'open') show(watched, link);
    else endLink(token);
  };

  /** Ages too, which change with time alone. */
  const showPositions = async () => {
    const carried = [...all.values()].filter(({ link }) => isCollected(link.found.row));
    const ids = new Set(carried.map(({ link }) => link.found.row.courierId ?? ''));
    if (ids.size === 0) return;
    const rows = await positionsOf(db, [...ids]);
    const byCourier = new Map(rows.map((row) => [row.courierId, row]));
    for (const watched of carried) {
      const { found } = watched.link;
      const position = byCourier.get(found.row.courierId ?? '') ?? null;
      if (position === null && found.position === null) continue;
      show(watched, openLink({ ...found, position }, now(), tiles));
      // Lets the app's calls run between the pages of a thousand links.
      await setImmediate();
    }
  };

  const run = async () => {
    const tokens = [...changed];
    changed.clear();
    let isFailing = false;
    const attempt = async (work: () => Promise<void>, again: () => void) => {
      try {
        await work();
      } catch (error) {
        again();
        if (!hasFailed && !isFailing) onFailure(error);
        isFailing = true;
      }
    };
    // One after another: a change of many links must not take the app's connections.
    for (const token of tokens) {
      await attempt(
        () => refresh(token),
        () => changed.add(token),
      );
    }
    if (isLookDue) {
      isLookDue = false;
      await attempt(showPositions, () => {
        isLookDue = true;
      });
    }
    hasFailed = isFailing;
  };

  const schedule = () => {
    if (timer !== undefined || running !== undefined || isStopped) return;
    if (changed.size === 0 && !isLookDue) return;
    timer = setTimeout(
      () => {
        timer = undefined;
        running = run().finally(() => {
          running = undefined;
          schedule();
        });
      },
      hasFailed ? afterFailureMs : gatherMs,
    );
    timer.unref();
  };

  const concerns = ({ package: id, users }: Notification, { link }: Watched): boolean => {
    const { row } = link.found;
    return id === undefined
      ? row.courierId !== null && users.includes(row.courierId)
      : id === row.id;
  };

  const beat = () => {
    const at = now();
    for (const [token, { link, readers }] of all) {
      const { endsAt } = link.tracked.tracking;
      if (endsAt !== null && new Date(endsAt) <= at) endLink(token);
      else for (const response of readers.keys()) writeOrCut(response, backlogBytes, heartbeat);
    }
  };

  /** For what no notification announces: positions, and photos that come after their delivery. */
  const look = () => {
    for (const [token, { link }] of all) if (link.tracked.awaitsPhotos) changed.add(token);
    isLookDue = all.size > 0;
    schedule();
  };

  const beating = setInterval(beat, times.heartbeatMs);
  const looking = setInterval(look, times.lookMs);
  beating.unref();
  looking.unref();

  return {
    /** Marks the notifications heard so far, for `add`. */
    heard: () => heard,
    isFull: (token: string) => (all.get(token)?.readers.size ?? 0) >= mostReaders,
    /**
     * Adds a reader who has got `link`. `since`: `heard` before the link was read; a notification in
     * between may be of this link, which is then read again.
     */
    add: (
      link: OpenLink,
      { response, words, since }: { response: ServerResponse; words: Words; since: number },
    ) => {
      const { token } = link;
      const watched = all.get(token) ?? { link, readers: new Map() };
      all.set(token, watched);
      show(watched, link);
      watched.readers.set(response, words);
      const leave = () => {
        watched.readers.delete(response);
        if (watched.readers.size === 0 && all.get(token) === watched) all.delete(token);
      };
      response.on('close', leave);
      response.on('error', leave);
      // Closed before the listener was added.
      if (response.destroyed) leave();
      if (since === heard) return;
      changed.add(token);
      schedule();
    },
    /** Null: some were lost. */
    hear: (notification: Notification | null) => {
      heard += 1;
      for (const [token, watched] of all) {
        if (notification === null || concerns(notification, watched)) changed.add(token);
      }
      schedule();
    },
    size: () => {
      let size = 0;
      for (const { readers } of all.values()) size += readers.size;
      return size;
    },
    endAll: () => {
      for (const token of [...all.keys()]) endLink(token);
    },
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      clearInterval(beating);
      clearInterval(looking);
      await running;
    },
  };
}
