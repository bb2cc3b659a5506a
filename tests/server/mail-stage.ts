/** A stage whose mails go through a real SMTP server, sent when a test says so. */
import { asc, eq } from 'drizzle-orm';
import { afterAll, beforeEach } from 'vitest';
import { mails } from '#server/database/account-schema.ts';
import { type SenderNeeds, sendDue } from '#server/modules/mail/sender.ts';
import { createSmtp } from '#server/modules/mail/smtp.ts';
import type { FakeSmtp, ReceivedMail } from '#tests/fakes/smtp-server.ts';
import type { Stage } from './stage.ts';

export const publicUrl = 'https://kaya.example';
export const sender = { name: 'Kaya', address: 'post@kaya.example' };

export function mailStage(stage: () => Stage, smtp: FakeSmtp) {
  beforeEach(async () => {
    await stage().db.delete(mails);
    smtp.taken.length = 0;
    smtp.calls = 0;
    smtp.mood = 'honest';
  });
  afterAll(() => smtp.close());

  const warnings: string[] = [];
  const sendTo = (url: string, timeoutMs = 10_000) =>
    createSmtp({ url, from: sender, requiresTls: false, timeoutMs });
  const needs = (changes: Partial<SenderNeeds> = {}): SenderNeeds => ({
    db: stage().db,
    now: stage().now,
    publicUrl: () => publicUrl,
    support: 'mailto:help@kaya.example',
    log: { warn: (...parts: unknown[]) => void warnings.push(JSON.stringify(parts)) },
    send: sendTo(smtp.url),
    ...changes,
  });
  /** One round of the worker. */
  const round = (changes: Partial<SenderNeeds> = {}) => sendDue(needs(changes));
  /** What arrived for this e-mail, the last first, after a round. */
  const mailsFor = async (email: string): Promise<ReceivedMail[]> => {
    await round();
    return smtp.taken.filter(({ to }) => to.includes(email)).reverse();
  };
  return {
    warnings,
    sendTo,
    round,
    mailsFor,
    /** The token of the link to `screen` in the last mail that has one. */
    linkFor: async (email: string, screen: 'reset-password' | 'confirm-email') => {
      const pattern = new RegExp(`https://kaya\\.example/${screen}#token=([\\w-]{43})\\b`);
      for (const { text } of await mailsFor(email)) {
        const [, token] = pattern.exec(text) ?? [];
        if (token !== undefined) return token;
      }
      throw new Error(`There is no link to ${screen}.`);
    },
    rows: (email: string) =>
      stage()
        .db.select()
        .from(mails)
        .where(eq(mails.recipient, email))
        .orderBy(asc(mails.createdAt)),
  };
}
