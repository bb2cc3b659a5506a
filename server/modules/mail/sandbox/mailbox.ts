/**
 * A mailbox on this server that gets every mail. It shows links that open accounts, so it answers only
 * people at this machine and is refused in production; where others reach the server, it also needs
 * the key that the server logs at its start.
 */
import { desc } from 'drizzle-orm';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sandboxMails } from '#server/database/account-schema.ts';
import type { Database } from '#server/database/database.ts';
import { inboxPage } from '#server/http/inbox-page.ts';
import { isFromHere, keyOfPage, localHosts } from '#server/http/own-machine.ts';
import { sendPage } from '#server/http/page.ts';
import { Refusal } from '#server/http/refusal.ts';
import type { SendMail } from '#server/modules/mail/mail.ts';
import { isKey } from '#server/plugins/authentication.ts';

export const mailboxPath = '/sandbox/mail';

interface Needs {
  app: FastifyInstance;
  db: Database;
  now: () => Date;
  secret: string;
  /** Undefined: nobody named one, so only this machine knows the server. */
  publicUrl: string | undefined;
  ownUrl: () => string | null;
}

/** Newest first. */
const listMails = (db: Database) =>
  db.select().from(sandboxMails).orderBy(desc(sandboxMails.at), desc(sandboxMails.id)).limit(100);

type SandboxMail = Awaited<ReturnType<typeof listMails>>[number];

const mailboxPage = (mails: readonly SandboxMail[]) =>
  inboxPage({
    what: 'Mails',
    warning: 'Sandbox – no real mails',
    explanation: 'What people would get in their mailboxes.',
    ifEmpty: 'No mails yet. Sign up to send the first.',
    entries: mails.map(({ recipient, subject, text: body, at }) => ({
      about: `to ${recipient}`,
      at,
      subject,
      body,
    })),
  });

/** Adds /sandbox/mail. */
export function addSandboxMailbox({ app, db, now, secret, publicUrl, ownUrl }: Needs): SendMail {
  const isPublic = publicUrl !== undefined && !localHosts.has(new URL(publicUrl).hostname);
  const key = keyOfPage(secret, mailboxPath);
  const mayOpen = (request: FastifyRequest) => {
    const { key: given } = request.query as { key?: unknown };
    return isFromHere(request) && (!isPublic || (typeof given === 'string' && isKey(given, key)));
  };

  app.addHook('onListen', async () => {
    const mailbox = `${ownUrl()}${mailboxPath}${isPublic ? `?key=${key}` : ''}`;
    app.log.info({ mailbox }, 'mails are shown here');
  });

  app.get(mailboxPath, async (request, reply) => {
    if (!mayOpen(request)) throw new Refusal('not_found');
    const mails = await listMails(db);
    if (!request.headers.accept?.includes('application/json')) {
      return sendPage(reply, 200, mailboxPage(mails));
    }
    reply.header('cache-control', 'no-store');
    return mails.map(({ recipient: to, subject, text, at }) => ({
      to,
      subject,
      text,
      at: at.toISOString(),
    }));
  });

  return async ({ id, to: recipient, subject, text }) => {
    const row = { id, recipient, subject, text, at: now() };
    await db.insert(sandboxMails).values(row).onConflictDoNothing();
    return { kind: 'sent' };
  };
}
