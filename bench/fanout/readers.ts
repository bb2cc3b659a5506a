/**
 * The ends of thousands of event streams of one path, in a process of their own: what they cost is
 * not what the loader measures.
 *
 *   node dist/bench/readers.js < settings as JSON on stdin
 *
 * Says that it is ready once all streams have their first event. `/reset` counts from then on, `/`
 * answers with what was counted.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

export interface ReadersSettings {
  /** 'http://127.0.0.1:3000' */
  url: string;
  path: string;
  count: number;
}

export interface Counted {
  /** Of all, as they arrive: with the frames of chunks. */
  bytes: number;
  /** What one more of them got: ms since the reset, and the text. */
  recorded: [ms: number, text: string][];
}

const { url, path, count }: ReadersSettings = JSON.parse(await text(process.stdin));
const { hostname, port, host } = new URL(url);
/** Sockets that connect at the same time: fewer than a server's backlog. */
const wave = 100;
/** The headers, and the first event or comment, in a chunk or not. */
const hasBegun = (start: Buffer) => start.indexOf('\n\n', start.indexOf('\r\n\r\n')) > 0;

const counted: Counted = { bytes: 0, recorded: [] };
let begun = performance.now();

async function openOne(): Promise<void> {
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
  let head = Buffer.alloc(0);
  let isOpen = false;
  await new Promise<void>((resolve, reject) => {
    socket.on('data', (chunk) => {
      counted.bytes += chunk.length;
      if (isOpen) return;
      head = Buffer.concat([head, chunk]);
      if (!head.toString('latin1', 0, 12).endsWith(' 200')) reject(new Error(head.toString()));
      else if (hasBegun(head)) {
        isOpen = true;
        resolve();
      }
    });
    socket.on('error', reject);
    socket.on('close', () => {
      process.stderr.write('A stream ended.\n');
      process.exit(1);
    });
  });
}

async function record(): Promise<void> {
  const answer = await fetch(`${url}${path}`);
  const decoder = new TextDecoder();
  for await (const chunk of answer.body ?? []) {
    counted.recorded.push([performance.now() - begun, decoder.decode(chunk, { stream: true })]);
  }
}

for (let opened = 0; opened < count; opened += wave) {
  await Promise.all(Array.from({ length: Math.min(wave, count - opened) }, openOne));
}
void record().catch(() => undefined);

const server = createServer((request, response) => {
  if (request.url === '/reset') {
    Object.assign(counted, { bytes: 0, recorded: [] });
    begun = performance.now();
  }
  response.end(JSON.stringify(counted));
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(
    `ready at http://127.0.0.1:${typeof address === 'object' ? address?.port : address}\n`,
  );
});
process.on('SIGTERM', () => process.exit(0));
