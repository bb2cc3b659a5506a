/** A link as read at one moment, and its rendered page: once for all its readers. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { trackingEvent } from '#contract/tracking.ts';
import type { Database } from '#server/database/database.ts';
import type { Page } from '#server/http/page.ts';
import { type NoteForm, trackingPage } from './page.ts';
import { insideOf, phaseOf } from './parts.ts';
import { type Found, findTracked, isReplaced } from './repository.ts';
import { endOf, type Tracked, trackedOf } from './tracking.ts';
import type { Words } from './words.ts';

const compress = promisify(gzip);

export interface RenderedPage extends Page {
  etag: string;
  zipped: Buffer;
}

export interface OpenLink {
  kind: 'open';
  token: string;
  found: Found;
  tracked: Tracked;
  /** The event of the stream that shows it so. */
  eventIn(words: Words): Buffer;
  page(words: Words, form?: NoteForm): Page;
  /** Without anything typed into its form. */
  plainPage(words: Words, isSent: boolean): Promise<RenderedPage>;
}

/** Unknown: there never was such a link. */
export type Link = OpenLink | { kind: 'ended' } | { kind: 'unknown' };

interface Needs {
  db: Database;
  now: () => Date;
  tiles: readonly string[];
}

/** Renders a thing the first time it is asked for. */
function once<Key, Value>(render: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const value = known.get(key) ?? render(key);
    known.set(key, value);
    return value;
  };
}

export function openLink(found: Found, at: Date, tiles: readonly string[]): OpenLink {
  const tracked = trackedOf(found, at);
  const token = found.row.trackingToken;
  const { packageId, stage, canNote } = tracked.tracking;
  const inside = once((words: Words) => insideOf({ ...tracked, token, words, now: at }));
  const page: OpenLink['page'] = (words, form = {}) => {
    const title = `${words.stages[stage]} · ${words.title(packageId)}`;
    const content = { token, words, title, phase: phaseOf(stage), canNote, form, now: at, tiles };
    return trackingPage({ ...content, inside: inside(words) });
  };
  const pageIn = once((isSent: boolean) =>
    once(async (words: Words): Promise<RenderedPage> => {
      const whole = page(words, { isSent });
      // Leaves out the rest of the page, which contains the time of the request.
      const text = `${words.language} ${isSent} ${canNote} ${inside(words)}`;
      const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
      return { ...whole, etag, zipped: await compress(whole.html) };
    }),
  );
  return {
    kind: 'open',
    token,
    found,
    tracked,
    page,
    eventIn: once((words) =>
      Buffer.from(`event: ${trackingEvent}\ndata: ${JSON.stringify(inside(words))}\n\n`),
    ),
    plainPage: (words, isSent) => pageIn(isSent)(words),
  };
}

/** Returns a function that reads the link of a token. */
export function createLinks({ db, now, tiles }: Needs): (token: string) => Promise<Link> {
  return async (token) => {
    const found = await findTracked(db, token);
    if (!found) return { kind: (await isReplaced(db, token)) ? 'ended' : 'unknown' };
    const at = now();
    const end = endOf(found);
    return end !== null && end <= at ? { kind: 'ended' } : openLink(found, at, tiles);
  };
}
