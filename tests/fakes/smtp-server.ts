/** A real SMTP server over TCP, with moods. */
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';

export type MailMood =
  | 'honest'
  /** 451 for the recipient, until it has waited. */
  | 'greylisting'
  /** 421 for the connection. */
  | 'busy'
  /** 454 for the password. */
  | 'locked'
  /** 550 for the recipient. */
  | 'no such mailbox'
  /** 550 for the sender. */
  | 'no such sender'
  /** 554 for the message. */
  | 'spam'
  /** Reads the message and says nothing. */
  | 'silent'
  /** Reads the message and closes the connection. */
  | 'dropping';

export interface ReceivedMail {
  from: string;
  to: string[];
  /** The headers as sent. */
  head: string;
  text: string;
  html: string;
}

const smtpAccount = { user: 'kaya', password: 'a+pass:word/@smtp' };

const refusal = (responseCode: number, message: string) =>
  Object.assign(new Error(message), { responseCode });

/** Quoted-printable (RFC 2045). */
function decode(text: string): string {
  const bytes = text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

function read(raw: string): Pick<ReceivedMail, 'head' | 'text' | 'html'> {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const body = rest.join('\r\n\r\n');
  const boundary = /boundary="([^"]+)"/.exec(head)?.[1] ?? '';
  const partOf = (type: string) => {
    const part = body.split(`--${boundary}`).find((one) => one.includes(`Content-Type: ${type}`));
    const [about = '', ...content] = part?.split('\r\n\r\n') ?? [];
    const encoded = content.join('\r\n\r\n');
    if (/quoted-printable/.test(about)) return decode(encoded).trim();
    return /base64/.test(about) ? Buffer.from(encoded, 'base64').toString('utf8') : encoded.trim();
  };
  return { head, text: partOf('text/plain'), html: partOf('text/html') };
}

export class FakeSmtp {
  mood: MailMood = 'honest';
  /** Connections so far. */
  calls = 0;
  /** Passwords that it was given. */
  logins = 0;
  readonly taken: ReceivedMail[] = [];
  #server: SMTPServer | undefined;

  /** 'smtp://…', once open. */
  url = '';

  async open({ hasTls = false }: { hasTls?: boolean } = {}): Promise<void> {
    const options: SMTPServerOptions = {
      disabledCommands: hasTls ? [] : ['STARTTLS'],
      allowInsecureAuth: true,
      disableReverseLookup: true,
      logger: false,
      closeTimeout: 100,
      onConnect: (_, next) => {
        this.calls += 1;
        next(this.mood === 'busy' ? refusal(421, 'Too many connections') : null);
      },
      onAuth: ({ username, password }, _, next) => {
        this.logins += 1;
        const isKnown = username === smtpAccount.user && password === smtpAccount.password;
        if (this.mood === 'locked') next(refusal(454, 'Temporary failure'));
        else if (isKnown) next(null, { user: 'kaya' });
        else next(refusal(535, 'Wrong password'));
      },
      onMailFrom: (_, __, next) =>
        next(this.mood === 'no such sender' ? refusal(550, 'Sender unknown') : null),
      onRcptTo: (_, __, next) => {
        const isGrey = this.mood === 'greylisting';
        const refused = isGrey ? refusal(451, 'Greylisted') : refusal(550, 'No such mailbox');
        next(isGrey || this.mood === 'no such mailbox' ? refused : null);
      },
      onData: (stream, session, next) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => this.#take(Buffer.concat(chunks).toString('utf8'), session, next));
      },
    };
    const server = new SMTPServer(options);
    // A client that goes away in the middle.
    server.on('error', () => undefined);
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.server.address() as AddressInfo;
    const { user, password } = smtpAccount;
    this.url = `smtp://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}`;
  }

  #take(raw: string, { envelope }: SMTPServerSession, next: (error?: Error) => void): void {
    if (this.mood === 'silent') return;
    if (this.mood === 'spam') {
      next(refusal(554, 'This looks like spam'));
      return;
    }
    const from = envelope.mailFrom ? envelope.mailFrom.address : '';
    const to = envelope.rcptTo.map(({ address }) => address);
    this.taken.push({ from, to, ...read(raw) });
    if (this.mood === 'dropping') this.#server?.connections.forEach((one) => void one.close());
    else next();
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#server) this.#server.close(resolve);
      else resolve();
    });
  }
}
