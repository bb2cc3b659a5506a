/** An HTTP server in place of Paystack with configurable answers. */
import { createServer, type Server } from 'node:http';
import { close, open, urlOf } from './local-server.ts';

export type Reply =
  | { status?: number; json: unknown }
  | { status?: number; text: string; type?: string; location?: string }
  | 'silence'
  | 'cut';

export interface Asked {
  method: string;
  path: string;
  authorization: string | undefined;
  body: unknown;
}

export class FakePaystack {
  readonly asked: Asked[] = [];
  /** Paystack's answer; set by the test. */
  reply: (asked: Asked) => Reply = () => ({ status: 404, json: { status: false, message: 'No' } });
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk) => {
        text += chunk;
      });
      request.on('end', () => {
        const { method = '', url: path = '', headers } = request;
        const body = text === '' ? undefined : JSON.parse(text);
        const asked = { method, path, authorization: headers.authorization, body };
        this.asked.push(asked);
        const reply = this.reply(asked);
        if (reply === 'silence') return;
        if (reply === 'cut') {
          request.socket.destroy();
          return;
        }
        const isJson = 'json' in reply;
        const type = isJson ? 'application/json' : (reply.type ?? 'text/html');
        const location = 'location' in reply ? { location: reply.location } : {};
        response.writeHead(reply.status ?? 200, { 'content-type': type, ...location });
        response.end(isJson ? JSON.stringify(reply.json) : reply.text);
      });
    });
  }

  async open(): Promise<void> {
    await open(this.server);
  }

  get url(): string {
    return urlOf(this.server);
  }

  close(): Promise<void> {
    return close(this.server);
  }
}

/** Answers both calls like Paystack; `charge` gives the state of a reference. */
export function honest(charge: (reference: string) => object | null) {
  return ({ method, path, body }: Asked): Reply => {
    if (method === 'POST') {
      const { reference } = body as { reference: string };
      const data = {
        authorization_url: `https://pay.test/${reference}`,
        access_code: 'x',
        reference,
      };
      return { json: { status: true, message: 'Authorization URL created', data } };
    }
    const data = charge(decodeURIComponent(path.split('/').at(-1) ?? ''));
    if (data) return { json: { status: true, message: 'Verification successful', data } };
    const message = 'Transaction reference not found.';
    return { status: 404, json: { status: false, message } };
  };
}
