/** Sends mails while the server listens; with the sandbox, adds /sandbox/mail. */
import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#server/config/config.ts';
import type { Database } from '#server/database/database.ts';
import { ownUrlOf } from '#server/http/own-url.ts';
import { whileListening } from '#server/http/while-listening.ts';
import { getOrCreateSetting } from '#server/modules/auth/repository.ts';
import { errorForLog } from '#server/plugins/request-log.ts';
import type { SendMail } from './mail.ts';
import { discardMails } from './repository.ts';
import { addSandboxMailbox } from './sandbox/mailbox.ts';
import { sendWhileListening } from './sender.ts';
import { createSmtp } from './smtp.ts';

interface Needs {
  app: FastifyInstance;
  db: Database;
  config: Pick<Config, 'mail' | 'publicUrl' | 'support'>;
  now: () => Date;
}

const discardEveryMs = 60_000;

function sendNone({ app, db }: Needs): void {
  app.addHook('onListen', async () => {
    app.log.warn(
      'no mail is sent, so nobody can recover an account by themselves: set SMTP_URL and MAIL_FROM',
    );
  });
  whileListening(
    app,
    discardEveryMs,
    () => discardMails(db),
    (error) => app.log.warn({ err: errorForLog(error) }, 'mails could not be discarded; retrying'),
  );
}

async function openSandbox({ app, db, config, now }: Needs): Promise<SendMail> {
  const fresh = randomBytes(32).toString('base64url');
  const secret = await getOrCreateSetting(db, 'sandbox_secret_key', fresh);
  const { publicUrl } = config;
  return addSandboxMailbox({ app, db, now, secret, publicUrl, ownUrl: () => ownUrlOf(app) });
}

export async function addMail(needs: Needs): Promise<void> {
  const { app, db, config, now } = needs;
  const { mail, support } = config;
  if (mail.transport === 'off') return sendNone(needs);
  const send = mail.transport === 'smtp' ? createSmtp(mail) : await openSandbox(needs);
  const publicUrl = () => config.publicUrl ?? ownUrlOf(app);
  sendWhileListening(app, { db, now, send, publicUrl, support, log: app.log });
}
