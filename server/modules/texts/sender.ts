/**
 * Sends queued text messages, each once.
 *
 *   waiting ──claim──▶ sending ──▶ sent ──report──▶ delivered | failed
 *      ▲ │                │ ├─refused, or too many tries──▶ failed
 *      │ └─not true──▶ dropped └─no clear answer, or the process ended──▶ uncertain
 *      └──certainly not sent, or its link was replaced
 *
 * A claim is committed before the call, and what is uncertain is never tried again: a report may
 * still say what became of it.
 */
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { pathOf } from '#contract/routes.ts';
import { trackingPagePath } from '#contract/tracking.ts';
import type { Database } from '#server/database/database.ts';
import { untilAllEnded } from '#server/http/until-all-ended.ts';
import { whileListening } from '#server/http/while-listening.ts';
import { errorForLog } from '#server/plugins/request-log.ts';
import type { TextTerms } from './bounds.ts';
import type { SendOutcome, SendText } from './provider.ts';
import { outsideQuietHours } from './quiet-hours.ts';
import * as repository from './repository.ts';
import { bodyOf } from './words.ts';

const everyMs = 5_000;
/** Calls at a time, so that one slow call does not delay the other messages. */
const lanes = 4;
const mostTries = 6;
/** After the first try; each further one waits four times as long, up to three hours in all. */
const firstWaitMs = 30_000;
const longestWaitMs = 2 * 3_600_000;
/** Much longer than a call may take. */
const abandonedMs = 2 * 60_000;

export interface SenderNeeds {
  db: Database;
  now: () => Date;
  send: SendText;
  terms: TextTerms;
  /** Base of the recipient's page, without a trailing slash; null until the server listens. */
  publicUrl: () => string | null;
  log: Pick<FastifyBaseLogger, 'warn'>;
}

const waitMs = (tries: number, asked = 0) =>
  Math.min(longestWaitMs, Math.max(asked, firstWaitMs * 4 ** (tries - 1)));

async function noteOutcome(
  { db, now, log }: SenderNeeds,
  text: repository.ClaimedText,
  outcome: SendOutcome,
): Promise<void> {
  const at = now();
  if (outcome.kind === 'sent') {
    const { providerId } = outcome;
    const isNamed = providerId === null || (await repository.nameText(db, text, providerId));
    // The id of another message: this is that one's answer again.
    return repository.noteText(db, text, isNamed ? 'sent' : 'uncertain', at);
  }
  const { status, kind } = outcome;
  log.warn({ outcome: kind, status, tries: text.tries }, 'a text message was not sent for certain');
  if (kind === 'uncertain') return repository.noteText(db, text, 'uncertain', at);
  if (kind === 'refused' || text.tries >= mostTries) {
    return repository.noteText(db, text, 'failed', at);
  }
  const dueAt = new Date(at.getTime() + waitMs(text.tries, outcome.afterMs));
  return repository.putBack(db, text, dueAt, at);
}

/** Sends all that are due; resolves once none is, or after the current ones on `stop`. */
export async function sendDue(needs: SenderNeeds, stop?: AbortSignal): Promise<void> {
  const { db, now, send, terms, publicUrl, log } = needs;
  const began = now();
  for (const text of await repository.findAbandoned(db, new Date(began.getTime() - abandonedMs))) {
    log.warn('a text message was being sent as its process ended; it may have been sent');
    await repository.noteText(db, text, 'uncertain', began);
  }
  const origin = publicUrl();
  if (origin === null) return;
  const lane = async () => {
    while (!stop?.aborted) {
      const at = now();
      // In quiet hours, messages due earlier wait, too.
      if (outsideQuietHours(at) > at) return;
      const text = await repository.claimText(db, at, terms);
      if (!text) return;
      const link = `${origin}${pathOf(trackingPagePath, { token: text.token })}`;
      const outcome = await send({ to: text.to, body: bodyOf({ ...text, link }) });
      await noteOutcome(needs, text, outcome);
    }
  };
  await untilAllEnded(Array.from({ length: lanes }, lane));
}

export function sendWhileListening(app: FastifyInstance, needs: SenderNeeds): void {
  whileListening(
    app,
    everyMs,
    (stop) => sendDue(needs, stop),
    (error) =>
      app.log.warn({ err: errorForLog(error) }, 'text messages could not be sent; retrying'),
  );
}
