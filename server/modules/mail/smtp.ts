/** Sends by SMTP (RFC 5321). */
import { createTransport } from 'nodemailer';
import { withTimeout } from '#server/config/timeouts.ts';
import type { MailOutcome, SendMail } from './mail.ts';

export interface SmtpNeeds {
  /** smtp://user:password@host:587, or smtps:// for TLS from the first byte. */
  url: string;
  from: { name: string; address: string };
  /** Without STARTTLS nothing is sent; smtps:// always has TLS. */
  requiresTls: boolean;
  timeoutMs?: number;
}

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/** Replies to these are about this mail; to others about the server, its account or the sender. */
const aboutTheMail = ['RCPT TO', 'DATA'];

/** Without the characters by which one address would be read as several, or as another (RFC 5322). */
const plainAddress = /^[^\s@,;:<>()[\]"\\]+@[^\s@,;:<>()[\]"\\]+$/;

interface SmtpError {
  responseCode?: number;
  command?: string;
}

function outcomeOf(error: unknown): MailOutcome {
  const { responseCode: status = 0, command = '' } = error as SmtpError;
  const isFinal = status >= 500 && aboutTheMail.includes(command);
  return isFinal ? { kind: 'refused', status } : { kind: 'later', status };
}

/**
 * A server whose last reply is lost may have taken the mail: it is tried again, since two mails are
 * better than none.
 */
export function createSmtp({ url, from, requiresTls, timeoutMs = 30_000 }: SmtpNeeds): SendMail {
  const transport = createTransport({
    url,
    ...timeouts,
    requireTLS: requiresTls,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = from.address.split('@').at(-1);
  return async ({ id, to, subject, text, html }) => {
    if (!plainAddress.test(to)) return { kind: 'refused' };
    const send = () =>
      transport.sendMail({
        from,
        to,
        messageId: `<${id}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
        subject,
        text,
        html,
      });
    try {
      await withTimeout(timeoutMs, send, () => new Error('the mail server took too long'));
      return { kind: 'sent' };
    } catch (error) {
      return outcomeOf(error);
    }
  };
}
