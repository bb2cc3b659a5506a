/** A link as it was read at one moment, and what is rendered from it: once for all its readers. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { trackingEvent } from '#contract/tracking.ts';
import type { Database } from '#server/database/database.ts';
import type { Page } from '#server/http/page.ts';
import { type NoteForm, trackingPage } from './page.ts';
import { insideOf } from './parts.ts';
import { type Found, findTracked, isReplaced } from './repository.ts';
import { shareReads } from './shared-reads.ts';
import { endOf, type Tracked, trackedOf } from './tracking.ts';
import type { Words } from './words.ts';

const compress = promisify(gzip);

export interface RenderedPage extends Page {
  etag: string;
  zipped: Buffer;
}

export interface OpenLink {
  kind: 'open';
  found: Found;
  tracked: Tracked;
  at: Date;
  /** The event of the stream that shows it so. */
  eventIn(words: Words): string;
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
function once<T>(render: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>();
  return (key) => {
    const value = known.get(key) ?? render(key);
    known.set(key, value);
    return value;
  };
}

export function openLink(found: Found, at: Date, tiles: readonly string[]): OpenLink {
  const tracked = trackedOf(found, at);
  const token = found.row.trackingToken ?? '';
  const { packageId, canNote } = tracked.tracking;
  const spoken = new Map<string, Words>();
  const wordsOf = (language: string): Words => {
    const words = spoken.get(language);
    if (!words) throw new Error(`There are no words of ${language}.`);
    return words;
  };
  const keyOf = (words: Words) => {
    spoken.set(words.language, words);
    return words.language;
  };
  const inside = once((language) =>
    insideOf({ ...tracked, token, words: wordsOf(language), now: at }),
  );
  const event = once(
    (language) => `event: ${trackingEvent}\ndata: ${JSON.stringify(inside(language))}\n\n`,
  );
  const page: OpenLink['page'] = (words, form = {}) => {
    const title = words.title(packageId);
    const content = { token, words, title, canNote, form, now: at, tiles };
    return trackingPage({ ...content, inside: inside(keyOf(words)) });
  };
  const rendered = once(async (key) => {
    const [language = '', sent] = key.split(' ');
    const words = wordsOf(language);
    const whole = page(words, { isSent: sent === 'sent' });
    // Not of the whole page, which says when it was asked for.
    const text = `${key} ${canNote} ${inside(language)}`;
    const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
    return { ...whole, etag, zipped: await compress(whole.html) };
  });
  return {
    ...{ kind: 'open', found, tracked, at, page },
    eventIn: (words) => event(keyOf(words)),
    plainPage: (words, isSent) => rendered(`${keyOf(words)} ${isSent ? 'sent' : 'plain'}`),
  };
}

/** Returns a function that reads the link of a token. */
export function createLinks({ db, now, tiles }: Needs): (token: string) => Promise<Link> {
  return shareReads(async (token): Promise<Link> => {
    const found = await findTracked(db, token);
    if (!found) return { kind: (await isReplaced(db, token)) ? 'ended' : 'unknown' };
    const at = now();
    const end = endOf(found);
    return end !== null && end <= at ? { kind: 'ended' } : openLink(found, at, tiles);
  });
}
