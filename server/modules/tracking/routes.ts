/**
 * Routes for the token of a recipient's link: the page at /t/{token}, and /api/track/{token}.
 * Invariant: a token is in no log, metric or Referer and in no shared cache.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { pathOf, routes } from '#contract/routes.ts';
import {
  leaveNoteSchema,
  trackingEventsPath,
  trackingPagePath,
  trackingTokenSchema,
} from '#contract/tracking.ts';
import type { TimeLimits } from '#server/config/timeouts.ts';
import { inTransaction } from '#server/database/transaction.ts';
import {
  addMutation,
  parseBody,
  parseParams,
  type RouteKit,
} from '#server/http/contract-routes.ts';
import { beginStream, hasConnection } from '#server/http/event-stream.ts';
import { readForms } from '#server/http/forms.ts';
import { sendPage } from '#server/http/page.ts';
import { Refusal } from '#server/http/refusal.ts';
import type { Notification } from '#server/modules/events/notification.ts';
import type { PictureStore } from '#server/modules/proofs/picture-store.ts';
import { readBytes } from '#server/modules/proofs/picture-store.ts';
import { findProof } from '#server/modules/proofs/repository.ts';
import { sendPicture } from '#server/modules/proofs/routes.ts';
import { noteError } from '#server/plugins/errors.ts';
import type { RateLimits } from '#server/plugins/rate-limits.ts';
import { errorForLog } from '#server/plugins/request-log.ts';
import { createLinks, type OpenLink } from './links.ts';
import { type NoteForm, problemPage } from './page.ts';
import { leaveNote, replaceTracking } from './service.ts';
import { createTrackingStreams } from './streams.ts';
import { type Words, wordsFor } from './words.ts';

const streamClosingSeconds = 5;

interface Needs {
  limits: Pick<RateLimits, 'trackingMiss' | 'leaveNote' | 'replaceTracking'>;
  store: PictureStore;
  now: () => Date;
  times: Pick<TimeLimits, 'heartbeatMs' | 'lookMs'>;
  /** Sources of the map's tiles. */
  tiles: readonly string[];
}

export interface Tracking {
  hear(notification: Notification | null): void;
  /** Readers of this process. */
  size(): number;
}

const wordsOf = ({ headers }: FastifyRequest): Words => wordsFor(headers['accept-language']);

function problemOf({ code, status }: Refusal): keyof Words['problems'] {
  if (code === 'not_found') return 'unknown';
  if (code === 'link_ended') return 'ended';
  if (code === 'rate_limited') return 'limited';
  return status >= 500 ? 'broken' : 'malformed';
}

/** Why the form was not taken, in the reader's words; null: it is in order. */
function formErrors(body: { kind: string; text: string }, words: Words): NoteForm['errors'] | null {
  const { issues } = v.safeParse(leaveNoteSchema, body);
  if (!issues) return null;
  const issueOf = (field: string) => issues.find(({ path }) => path?.[0].key === field);
  const about = issueOf('text');
  return {
    kind: issueOf('kind') && words.kindMissing,
    text: about && (about.type === 'max_length' ? words.textTooLong : words.textMissing),
  };
}

export async function addTracking(kit: RouteKit, needs: Needs): Promise<Tracking> {
  const { app, db } = kit;
  const { limits, store, now, times, tiles } = needs;
  const read = createLinks({ db, now, tiles });
  const streams = createTrackingStreams({
    db,
    read,
    now,
    tiles,
    times,
    onFailure: (error) => {
      if (!(error instanceof Error)) return;
      app.log.warn({ err: errorForLog(error) }, 'cannot read what recipients see');
    },
  });
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
    streams.endAll();
  });
  app.addHook('onClose', () => streams.stop());

  /** Refuses with `not_found`, which counts against guessing, or `link_ended`. */
  const openFor = async (request: FastifyRequest): Promise<OpenLink> => {
    const { token } = v.parse(v.object({ token: v.string() }), request.params);
    // Malformed tokens do not count as guesses.
    if (!v.is(trackingTokenSchema, token)) throw new Refusal('not_found');
    const link = await read(token);
    if (link.kind === 'ended') throw new Refusal('link_ended');
    if (link.kind === 'open') return link;
    await limits.trackingMiss(request);
    throw new Refusal('not_found');
  };

  /** Refuses as `openFor` and `leaveNote` do. */
  const takeNote = async (request: FastifyRequest, body: v.InferOutput<typeof leaveNoteSchema>) => {
    const { token } = await openFor(request);
    await inTransaction(db, (tx) => {
      const count = () => limits.leaveNote(tx, request);
      return leaveNote(tx, { token, ...body, now: now(), count });
    });
  };

  const sendPlainPage = async (request: FastifyRequest, reply: FastifyReply) => {
    const isSent = 'sent' in (request.query as object);
    const page = await (await openFor(request)).plainPage(wordsOf(request), isSent);
    reply.headers({ etag: page.etag, vary: 'accept-encoding, accept-language' });
    if (request.headers['if-none-match'] === page.etag) {
      return reply.code(304).header('cache-control', 'no-store').send();
    }
    const isZipped = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
    if (!isZipped) return sendPage(reply, 200, page);
    reply.header('content-encoding', 'gzip');
    return sendPage(reply, 200, { ...page, html: page.zipped });
  };

  /** A form's answer is the page again: with what is wrong, or by a redirect that can be reloaded. */
  const takeForm = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!(request.body instanceof URLSearchParams)) throw new Refusal('unsupported_media');
    const link = await openFor(request);
    const words = wordsOf(request);
    const field = (name: string) => (request.body as URLSearchParams).get(name) ?? '';
    // Browsers send line ends of two characters.
    const body = { kind: field('kind'), text: field('text').replace(/\r\n?/g, '\n') };
    const again = (status: number, errors: NoteForm['errors']) =>
      sendPage(reply, status, link.page(words, { ...body, ...(errors ? { errors } : {}) }));
    const errors = formErrors(body, words);
    if (errors) return again(422, errors);
    try {
      await takeNote(request, v.parse(leaveNoteSchema, body));
    } catch (error) {
      const code = error instanceof Refusal ? error.code : null;
      if (code === 'invalid_state') return again(409, { form: words.cannotNote });
      if (code === 'rate_limited') return again(429, { form: words.tooMany });
      throw error;
    }
    const page = pathOf(trackingPagePath, { token: link.token });
    return reply.header('cache-control', 'no-store').redirect(`${page}?sent#note`, 303);
  };

  // In a context of its own: only here are forms read, and refusals pages.
  const addPages = async (pages: FastifyInstance) => {
    pages.setErrorHandler((error: Error, request, reply) => {
      const refusal = noteError(error, request, reply);
      return sendPage(reply, refusal.status, problemPage(wordsOf(request), problemOf(refusal)));
    });
    readForms(pages);
    pages.get(trackingPagePath, sendPlainPage);
    pages.post(trackingPagePath, takeForm);
    // Not a screen of the app, which recipients do not have.
    const method = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
    const handler = async () => {
      throw new Refusal('not_found');
    };
    pages.route({ method, url: '/t/*', handler });
  };

  const openStream = async (request: FastifyRequest, reply: FastifyReply) => {
    const since = streams.heard();
    const link = await openFor(request);
    if (isClosing || !hasConnection(reply) || streams.isFull(link.token)) {
      throw new Refusal('unavailable', { retryAfterSeconds: streamClosingSeconds });
    }
    // Too late: refused by the time limit.
    if (reply.sent) return;
    reply.hijack();
    const words = wordsOf(request);
    const response = beginStream(reply, String(link.eventIn(words)));
    streams.add(link, { response, words, since });
  };

  const addCalls = async (calls: FastifyInstance) => {
    calls.get(
      routes.getTracking.path,
      async (request) => (await openFor(request)).tracked.tracking,
    );
    calls.post(routes.leaveNote.path, async (request, reply) => {
      // Before the body, as everywhere.
      parseParams(routes.leaveNote.params, request.params);
      await takeNote(request, parseBody(routes.leaveNote.body, request.body));
      const { tracked } = await openFor(request);
      return reply.code(routes.leaveNote.status).send(tracked.tracking);
    });
    calls.get(routes.trackedPhoto.path, async (request, reply) => {
      const { tracked, found } = await openFor(request);
      const { photoId: id } = parseParams(routes.trackedPhoto.params, request.params);
      const isShown = tracked.tracking.photoIds.includes(id);
      const kept = isShown && (await findProof(db, { packageId: found.row.id, id }));
      if (!kept) throw new Refusal('not_found');
      const bytes = await readBytes(store, kept);
      if (bytes === null) throw new Refusal('picture_missing');
      return sendPicture(request, reply, { type: kept.type, bytes });
    });
    calls.get(trackingEventsPath, { exposeHeadRoute: false }, openStream);
  };

  await app.register(addPages);
  await app.register(addCalls);
  addMutation(
    kit,
    routes.replaceTracking,
    async ({ actor, params }) =>
      async (tx) => {
        const replaced = await replaceTracking(tx, { actor, id: params.id, now: now() });
        await limits.replaceTracking(tx, actor.id);
        return replaced;
      },
    { hasEffects: false },
  );
  return { hear: streams.hear, size: streams.size };
}
