/**
 * Sends queued mails.
 *
 *   waiting ──claim──▶ sending ──▶ sent
 *      ▲ │                ├─refused, or tried for a day──▶ failed
 *      │ └─not wanted──▶ deleted
 *      ├──refused for now, no connection, no answer (the waits grow)
 *      └──the process ended while it sent, five minutes ago
 *
 * A claim is committed before the call, so one process sends a mail. Where nobody knows whether it went
 * it goes again: who waits for a link is better off with two mails than with none. The token of a link is
 * made by the claim and is in no row.
 */
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Database } from '#server/database/database.ts';
import { untilAllEnded } from '#server/http/until-all-ended.ts';
import { whileListening } from '#server/http/while-listening.ts';
import { errorForLog } from '#server/plugins/request-log.ts';
import { htmlOf, textOf } from './layout.ts';
import type { MailOutcome, SendMail } from './mail.ts';
import * as repository from './repository.ts';
import { letterOf } from './words.ts';

const everyMs = 2_000;
/** At a time, so that a slow server does not hold up the others. */
const lanes = 2;
/** After the first try; each further wait is three times as long. Greylisting lasts some minutes. */
const firstWaitMs = 30_000;
const longestWaitMs = 3_600_000;
/** Much longer than a try may take. */
const abandonedMs = 5 * 60_000;

export interface SenderNeeds {
  db: Database;
  now: () => Date;
  send: SendMail;
  /** Of the app, without a trailing slash; null: not known before the server listens. */
  publicUrl: () => string | null;
  support: string | null;
  log: Pick<FastifyBaseLogger, 'warn'>;
}

const waitMs = (tries: number) => Math.min(longestWaitMs, firstWaitMs * 3 ** (tries - 1));

async function noteOutcome(
  { db, now, log }: SenderNeeds,
  mail: repository.ClaimedMail,
  outcome: MailOutcome,
): Promise<void> {
  const at = now();
  if (outcome.kind === 'sent') return repository.endMail(db, mail, 'sent', at);
  const { kind, status } = outcome;
  log.warn({ outcome: kind, status, mail: mail.kind, tries: mail.tries }, 'a mail was not sent');
  const isGivenUp = at.getTime() - mail.createdAt.getTime() >= repository.triedForMs;
  if (kind === 'refused' || isGivenUp) return repository.endMail(db, mail, 'failed', at);
  return repository.putBack(db, mail, new Date(at.getTime() + waitMs(mail.tries)), at);
}

/** Sends all that are due; resolves once none is, or after the current ones on `stop`. */
export async function sendDue(needs: SenderNeeds, stop?: AbortSignal): Promise<void> {
  const { db, now, send, publicUrl, support, log } = needs;
  const began = now();
  const before = new Date(began.getTime() - abandonedMs);
  const count = await repository.putAbandonedBack(db, before, began);
  if (count > 0) log.warn({ count }, 'mails were being sent as their process ended; sent again');
  const origin = publicUrl();
  if (origin === null) return;
  const lane = async () => {
    while (!stop?.aborted) {
      const mail = await repository.claimMail(db, now());
      if (!mail) return;
      const { id, kind, to, token, notice, createdAt: at } = mail;
      const letter = letterOf({ kind, to, token, notice, at, origin, support });
      const { subject } = letter;
      const outcome = await send({ id, to, subject, text: textOf(letter), html: htmlOf(letter) });
      await noteOutcome(needs, mail, outcome);
    }
  };
  await untilAllEnded(Array.from({ length: lanes }, lane));
}

export function sendWhileListening(app: FastifyInstance, needs: SenderNeeds): void {
  whileListening(
    app,
    everyMs,
    (stop) => sendDue(needs, stop),
    (error) => app.log.warn({ err: errorForLog(error) }, 'mails could not be sent; retrying'),
  );
}
