/**
 * The streams of recipients' pages. A link that changes is read and rendered once, whatever the number
 * of its readers, and all get the same bytes.
 *
 *   notification ─▶ changed links ─(200 ms)─▶ read, one after another ─▶ differs? ─▶ written to readers
 *   every 15 s ─▶ positions of all couriers on show, in one query ─▶ rendered with what was read ─┘
 */
import type { ServerResponse } from 'node:http';
import { setTimeout as after, setImmediate } from 'node:timers/promises';
import { isCollected } from '#domain/policy.ts';
import type { TimeLimits } from '#server/config/timeouts.ts';
import type { Database } from '#server/database/database.ts';
import { heartbeat, writeOrCut } from '#server/http/event-stream.ts';
import type { Notification } from '#server/modules/events/notification.ts';
import { type Link, type OpenLink, openLink } from './links.ts';
import { positionsOf } from './repository.ts';
import type { Words } from './words.ts';

const gatherMs = 200;
const afterFailureMs = 2_000;
/** Of a slow reader, who is disconnected, reconnects and gets all there is. */
const backlogBytes = 64 * 1024;
/** Of one link at one process. */
const mostReaders = 10_000;

/**
 * Readers can wait about a second, the app's calls cannot: they come between the turns, and the rest
 * leaves them most of the processor, also where the machine has few. Shorter turns with shorter rests
 * cost more: each rest is a timer and a wake-up.
 */
const readersPerTurn = 40;
const restMs = 3;

interface Reader {
  words: Words;
  /** The event it has. */
  shown: Buffer;
}

interface Watched {
  link: OpenLink;
  readers: Map<ServerResponse, Reader>;
  /** Of its readers, also of those who left. */
  languages: Set<Words>;
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
  /** Links whose readers are to get the event, and with true a heartbeat too. */
  const due = new Map<Watched, boolean>();
  let isWriting = false;
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

  /** In turns; a newer event of a link replaces one that a reader has not got yet. */
  const writeAll = async () => {
    isWriting = true;
    let written = 0;
    try {
      for (const [watched, isBeat] of due) {
        due.delete(watched);
        for (const [response, reader] of watched.readers) {
          const event = watched.link.eventIn(reader.words);
          const isShown = event === reader.shown || event.equals(reader.shown);
          reader.shown = event;
          if (isShown && !isBeat) continue;
          writeOrCut(response, backlogBytes, isShown ? heartbeat : event);
          written += 1;
          if (written % readersPerTurn === 0) await after(restMs);
        }
      }
    } finally {
      isWriting = false;
    }
  };

  const write = (watched: Watched, isBeat = false) => {
    due.set(watched, isBeat || due.get(watched) === true);
    if (!isWriting) writeAll().catch(onFailure);
  };

  const show = (watched: Watched, link: OpenLink) => {
    const isShown = (words: Words) => link.eventIn(words).equals(watched.link.eventIn(words));
    const isSame = [...watched.languages].every(isShown);
    watched.link = link;
    if (!isSame) write(watched);
  };

  const refresh = async (token: string) => {
    const watched = all.get(token);
    if (!watched) return;
    const link = await read(token);
    if (link.kind === 'open') show(watched, link);
    else endLink(token);
  };

  /** Also their ages, which change with time alone. */
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
    for (const [token, watched] of all) {
      const { endsAt } = watched.link.tracked.tracking;
      if (endsAt !== null && new Date(endsAt) <= at) endLink(token);
      else write(watched, true);
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
    /** What was heard until now; `add` is told it. */
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
      const watched = all.get(token) ?? { link, readers: new Map(), languages: new Set() };
      all.set(token, watched);
      show(watched, link);
      watched.languages.add(words);
      watched.readers.set(response, { words, shown: link.eventIn(words) });
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
