/**
 * Loads a server over persistent connections, one request each at a time: a stalled server gets
 * fewer requests (coordinated omission), so the p99 is that of a client who waits its turn. Speaks
 * just enough HTTP for Fastify's responses, on raw sockets, so that the loader is not what is
 * measured.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Request } from './requests.ts';

export interface Load {
  /** 'http://127.0.0.1:3000' */
  url: string;
  connections: number;
  /** The next request; at most `requests` of them, for at most `ms`. */
  next: () => Request;
  requests?: number;
  ms?: number;
}

export interface Measured {
  perSecond: number;
  p99Ms: number;
  bytes: number;
}

const headEnd = Buffer.from('\r\n\r\n');

function textOf({ method, path, headers, body = '' }: Request, host: string): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = body === '' ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n${lines.join('')}${length}\r\n${body}`;
}

/** Reads one whole response; any status but 200 is a bug in the bench. */
function readAnswer(socket: Socket): Promise<number> {
  return new Promise((resolve, reject) => {
    let start = Buffer.alloc(0);
    let missing = -1;
    let bytes = 0;
    const onData = (chunk: Buffer) => {
      if (missing >= 0) {
        missing -= chunk.length;
      } else {
        start = Buffer.concat([start, chunk]);
        const end = start.indexOf(headEnd);
        if (end < 0) return;
        const head = start.toString('latin1', 0, end);
        bytes = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1]);
        if (!head.startsWith('HTTP/1.1 200 ') || Number.isNaN(bytes)) {
          reject(new Error(`Unexpected response under load: ${start.toString().slice(0, 2000)}`));
          return;
        }
        missing = bytes - (start.length - end - headEnd.length);
      }
      if (missing > 0) return;
      socket.off('data', onData);
      resolve(bytes);
    };
    socket.on('data', onData);
  });
}

/** Until all requests are answered, or time is up. */
export async function load(what: Load): Promise<Measured> {
  const { url, connections, next, requests = Number.POSITIVE_INFINITY, ms = 60_000 } = what;
  const { hostname, port, host } = new URL(url);
  const sockets = Array.from({ length: connections }, () => connect(Number(port), hostname));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const latencies: number[] = [];
  let left = requests;
  let bytes = 0;
  const begun = performance.now();
  const loop = async (socket: Socket) => {
    socket.setNoDelay(true);
    while (left > 0 && performance.now() - begun < ms) {
      left -= 1;
      const text = textOf(next(), host);
      const sent = performance.now();
      const answer = readAnswer(socket);
      socket.write(text);
      bytes = await answer;
      latencies.push(performance.now() - sent);
    }
  };
  await Promise.all(
    sockets.map(async (socket) => {
      const broken = once(socket, 'close').then(() => {
        throw new Error('The server closed a connection under load.');
      });
      await Promise.race([loop(socket), broken]);
      broken.catch(() => undefined);
      socket.destroy();
    }),
  );
  const seconds = (performance.now() - begun) / 1000;
  latencies.sort((a, b) => a - b);
  const p99Ms = latencies[Math.ceil(latencies.length * 0.99) - 1] ?? Number.NaN;
  return { perSecond: latencies.length / seconds, p99Ms, bytes };
}
