/**
 * A proxy between a real browser and the real server with the faults of a field network. It works
 * on the wire, so the app, its service worker and the browser's own retries are all affected.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import type { ErrorCode } from '#contract/errors.ts';
import { headers as wire } from '#contract/headers.ts';
import { close, open } from './local-server.ts';

/** Called after the server has answered, so that a test can wait for a specific answer. */
type Matches = (method: string, path: string, status: number) => boolean;

/** The fate of one request. */
export type Fault =
  /** Never reaches the server. */
  | { kind: 'dropped before' }
  /** Applied by the server; the client gets no answer. */
  | { kind: 'dropped after' }
  /** Reaches the server after a delay. */
  | { kind: 'delayed'; ms: number }
  /** Reaches the server twice in sequence; the client gets the second answer. */
  | { kind: 'duplicated' }
  /** Half of the answer's body, as if it were complete. */
  | { kind: 'truncated' }
  /** 200 with HTML, from an intermediary. */
  | { kind: 'portal' }
  /** This status from an intermediary or, with a code, from the server. */
  | {
      kind: 'status';
      status: number;
      retryAfter?: string;
      code?: ErrorCode;
      /** Fields besides the code; without a code, the whole body as plain text. */
      message?: string;
      /** Errors by field, with the code. */
      fields?: Record<string, string>;
      /** The whole body, as JSON. */
      json?: unknown;
    };

export type FaultKind = Fault['kind'];

export interface KeyedAnswer {
  /** Idempotency-Key. */
  key: string;
  method: string;
  path: string;
  status: number;
  /** A replay of its stored answer. */
  isReplayed: boolean;
}

/** Called for each request; null: no fault. */
export type FaultRule = (method: string, path: string) => Fault | null;

export interface FaultProxy {
  url: string;
  /** Requests that reached the server, as 'METHOD /path', oldest first. */
  forwarded: string[];
  /** Requests as received, with or without a fault. */
  received: string[];
  /** The bodies in JSON among them, as 'METHOD /path {…}'. */
  bodies: string[];
  /** The server's answers to mutations with a key, in order. */
  answers: KeyedAnswer[];
  /** Count of each fault. */
  faults: Map<FaultKind, number>;
  /** Replaces the fault function; null: no faults. */
  setFaults(rule: FaultRule | null): void;
  /**
   * Lets the server answer the next matching request, then cuts the connection before the client
   * receives it. Resolves once cut.
   */
  cutNextReply(matches: Matches): Promise<void>;
  /** Holds the reply of the next matching request until `release`. */
  holdNextReply(matches: Matches): { answered: Promise<void>; release(): void };
  /** Runs this script in the service worker before its own. */
  prependToWorker(script: string): void;
  close(): Promise<void>;
}

interface Trap {
  matches: Matches;
  /** Called after the server has answered; false: the client never gets the answer. */
  befall(): Promise<boolean> | boolean;
}

const portalPage = '<!doctype html><html><body><h1>Welcome to Airport Wi-Fi</h1></body></html>';
const busyPage = '<!doctype html><html><body>The server is busy.</body></html>';

function wordsOf({ code, message, fields, json }: Extract<Fault, { kind: 'status' }>) {
  const body = code ? { code, message: message ?? 'No.', fields } : json;
  if (body !== undefined) return { type: 'application/json', text: JSON.stringify(body) };
  return message === undefined
    ? { type: 'text/html', text: busyPage }
    : { type: 'text/plain', text: message };
}

/** Buffers the whole body, so that a cut does not lose what the browser sent. */
async function bodyOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Drops hop-by-hop headers; without keep-alive a browser cannot resend on its own. */
function onward(headers: IncomingMessage['headers']) {
  const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...rest } = headers;
  return { ...rest, connection: 'close' };
}

/** Hides the badge API: the headless shell crashes a worker that sets one. */
const withoutBadges = 'delete WorkerNavigator.prototype.setAppBadge;\n';

const isWorker = (path: string, status: number) => path === '/sw.js' && status === 200;

export async function startFaultProxy(targetUrl: string): Promise<FaultProxy> {
  const target = new URL(targetUrl);
  const forwarded: string[] = [];
  const received: string[] = [];
  const bodies: string[] = [];
  const answers: KeyedAnswer[] = [];
  const faults = new Map<FaultKind, number>();
  const traps: Trap[] = [];
  let rule: FaultRule | null = null;
  let workerScript = withoutBadges;

  /** Forwards one request; resolves with its answer, whose body still streams. */
  function ask(incoming: IncomingMessage, outgoing: ServerResponse, body: Buffer) {
    const { method = 'GET', url: path = '/', headers } = incoming;
    forwarded.push(`${method} ${path}`);
    return new Promise<IncomingMessage>((resolve, reject) => {
      const asked = request(
        {
          host: target.hostname,
          port: target.port,
          method,
          path,
          // Uncompressed, so that text can be prepended to a worker.
          headers: { ...onward(headers), ...(path === '/sw.js' ? { 'accept-encoding': '' } : {}) },
        },
        (answer) => {
          const key = headers[wire.idempotencyKey];
          const status = answer.statusCode ?? 502;
          const isReplayed = answer.headers[wire.idempotencyReplayed] === 'true';
          if (typeof key === 'string') answers.push({ key, method, path, status, isReplayed });
          resolve(answer);
        },
      );
      asked.on('error', reject);
      // A disconnected client takes its streams with it. Its request still reaches the server in
      // full.
      outgoing.on('close', () => {
        if (method === 'GET') asked.destroy();
      });
      asked.end(body);
    });
  }

  async function passOn(
    answer: IncomingMessage,
    outgoing: ServerResponse,
    { method, path, isHalved }: { method: string; path: string; isHalved: boolean },
  ) {
    const status = answer.statusCode ?? 502;
    const trapAt = traps.findIndex((trap) => trap.matches(method, path, status));
    const [trap] = trapAt < 0 ? [] : traps.splice(trapAt, 1);
    const headers = onward(answer.headers);
    if (trap || isHalved || isWorker(path, status)) {
      const whole = await bodyOf(answer);
      if (trap && !(await trap.befall())) return outgoing.destroy();
      const { 'content-length': _, ...rest } = headers;
      outgoing.writeHead(status, rest);
      if (isWorker(path, status)) outgoing.write(workerScript);
      return outgoing.end(isHalved ? whole.subarray(0, Math.floor(whole.length / 2)) : whole);
    }
    outgoing.writeHead(status, headers);
    answer.on('error', () => outgoing.destroy());
    return answer.pipe(outgoing);
  }

  async function forward(incoming: IncomingMessage, outgoing: ServerResponse) {
    const { method = 'GET', url: path = '/' } = incoming;
    const body = await bodyOf(incoming);
    received.push(`${method} ${path}`);
    if (body[0] === 0x7b) bodies.push(`${method} ${path} ${body}`);
    const fault = rule?.(method, path) ?? null;
    if (fault) faults.set(fault.kind, (faults.get(fault.kind) ?? 0) + 1);
    switch (fault?.kind) {
      case 'dropped before':
        return outgoing.destroy();
      case 'portal':
        outgoing.writeHead(200, { 'content-type': 'text/html' });
        return outgoing.end(portalPage);
      case 'status': {
        const { status, retryAfter } = fault;
        const { type, text } = wordsOf(fault);
        outgoing.writeHead(status, {
          'content-type': type,
          ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
        });
        return outgoing.end(text);
      }
      case 'delayed':
        await after(fault.ms);
        break;
      case 'duplicated':
        await bodyOf(await ask(incoming, outgoing, body));
        break;
      default:
    }
    const answer = await ask(incoming, outgoing, body);
    if (fault?.kind === 'dropped after') {
      await bodyOf(answer);
      return outgoing.destroy();
    }
    return await passOn(answer, outgoing, {
      method,
      path,
      isHalved: fault?.kind === 'truncated',
    });
  }

  const server = createServer((incoming, outgoing) => {
    // Chromium sends a request again, unasked, if the connection it reused is cut.
    outgoing.setHeader('connection', 'close');
    forward(incoming, outgoing).catch(() => outgoing.destroy());
  });
  const port = await open(server);

  return {
    url: `http://localhost:${port}`,
    forwarded,
    received,
    bodies,
    answers,
    faults,
    setFaults: (next) => {
      rule = next;
    },
    cutNextReply: (matches) =>
      new Promise((done) => {
        traps.push({
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
        traps.push({
          matches,
          befall: () => {
            resolve();
            return released;
          },
        });
      });
      return { answered, release };
    },
    prependToWorker: (script) => {
      workerScript += `${script};\n`;
    },
    close: () => close(server),
  };
}
