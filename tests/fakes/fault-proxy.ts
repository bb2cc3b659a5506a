/**
 * A proxy between a real browser and the real server that breaks what a field network breaks.
 * It works on the wire, so the app, its service worker and the browser's own resends all meet it.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Asked once the server has answered, so that a test can wait for the answer that counts. */
type Matches = (method: string, path: string, status: number) => boolean;

export interface FaultProxy {
  url: string;
  /** Requests that reached the server, as 'METHOD /path', oldest first. */
  forwarded: string[];
  /**
   * Lets the next matching request through to the server, waits for its whole answer, then cuts
   * the connection so that the client never sees it. Resolves once it is cut.
   */
  cutNextReply(matches: Matches): Promise<void>;
  /** Lets the next matching request through and keeps its reply back until `release`. */
  holdNextReply(matches: Matches): { answered: Promise<void>; release(): void };
  close(): Promise<void>;
}

interface Fault {
  matches: Matches;
  /** Runs once the server has answered; false: the client never sees the answer. */
  befall(): Promise<boolean> | boolean;
}

/** The whole request body: what the browser sent must not be lost to streaming when we cut. */
async function bodyOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Hop-by-hop headers stay out; no keep-alive, so that a browser cannot resend behind our back. */
function onward(headers: IncomingMessage['headers']) {
  const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...rest } = headers;
  return { ...rest, connection: 'close' };
}

export async function startFaultProxy(targetUrl: string): Promise<FaultProxy> {
  const target = new URL(targetUrl);
  const forwarded: string[] = [];
  const faults: Fault[] = [];

  async function forward(incoming: IncomingMessage, outgoing: ServerResponse) {
    const method = incoming.method ?? 'GET';
    const path = incoming.url ?? '/';
    const body = await bodyOf(incoming);
    forwarded.push(`${method} ${path}`);
    const onwardRequest = request(
      { host: target.hostname, port: target.port, method, path, headers: onward(incoming.headers) },
      async (answer) => {
        const status = answer.statusCode ?? 502;
        const faultAt = faults.findIndex((fault) => fault.matches(method, path, status));
        const [fault] = faultAt < 0 ? [] : faults.splice(faultAt, 1);
        const whole = fault && (await bodyOf(answer));
        if (fault && !(await fault.befall())) return outgoing.destroy();
        outgoing.writeHead(status, onward(answer.headers));
        if (whole) outgoing.end(whole);
        else answer.pipe(outgoing);
      },
    );
    onwardRequest.on('error', () => outgoing.destroy());
    onwardRequest.end(body);
  }

  const server = createServer((incoming, outgoing) => {
    forward(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://localhost:${port}`,
    forwarded,
    cutNextReply: (matches) =>
      new Promise((done) => {
        faults.push({
          matches,
          befall: () => {
            done();
            return false;
          },
        });
      }),
    holdNextReply: (matches) => {
      let release = () => {};
      const released = new Promise<boolean>((resolve) => {
        release = () => resolve(true);
      });
      const answered = new Promise<void>((resolve) => {
        faults.push({
          matches,
          befall: () => {
            resolve();
            return released;
          },
        });
      });
      return { answered, release };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
