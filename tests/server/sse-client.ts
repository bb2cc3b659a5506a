/** Reads a user's event stream like a browser, over a real connection. */
import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach } from 'vitest';
import type { Person } from './stage.ts';

const open = new Set<SseClient>();

/** Lets `app` listen on a free port of this machine; returns its address. */
export async function listenOn(app: FastifyInstance): Promise<string> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

/** Closes after each test what a file opened in it. */
export function closeSseClients(): void {
  afterEach(() => {
    for (const stream of open) stream.close();
    open.clear();
  });
}

/** A stream, read to the end. */
export class SseClient {
  text = '';
  hasEnded = false;
  status = 0;
  headers = new Headers();
  #request: ClientRequest | undefined;
  readonly #waiting = new Set<() => void>();

  open(who: Person, at: string, query = ''): Promise<this> {
    return this.openUrl(`${at}/api/events${query}`, { authorization: `Bearer ${who.token}` });
  }

  async openUrl(url: string, headers: Record<string, string> = {}): Promise<this> {
    open.add(this);
    // A separate connection, which ends with the stream.
    this.#request = get(url, { agent: false, headers });
    const [response]: IncomingMessage[] = await once(this.#request, 'response');
    if (!response) throw new Error('There was no answer.');
    this.status = response.statusCode ?? 0;
    this.headers = new Headers(response.headers as Record<string, string>);
    response.setEncoding('utf8');
    response.on('data', (text: string) => {
      this.text += text;
      this.#wake();
    });
    // Closed by this side.
    response.on('error', () => undefined);
    response.on('close', () => {
      this.hasEnded = true;
      this.#wake();
    });
    return this;
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
  }

  get events(): number {
    return this.text.split('event: change\ndata: {}\n\n').length - 1;
  }

  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      await new Promise<void>((resolve) => {
        const wake = () => {
          this.#waiting.delete(wake);
          resolve();
        };
        this.#waiting.add(wake);
      });
    }
  }

  close(): void {
    this.#request?.destroy();
  }
}

/** A user's stream once it has started. */
export async function listenAs(who: Person, at: string, query = ''): Promise<SseClient> {
  const stream = await new SseClient().open(who, at, query);
  await stream.until(() => stream.text !== '');
  return stream;
}
