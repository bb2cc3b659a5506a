/**
 * The limit of a fan-out: a server that holds as many event streams and writes the same bytes at
 * the same moments to each, and knows nothing of people, rows or databases.
 *
 *   node dist/bench/broadcaster.js < settings as JSON on stdin
 */
import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { helloEvent } from '#contract/stream.ts';

export interface BroadcasterSettings {
  /** ms since `POST /begin`, and what is then written to all. */
  schedule: [ms: number, text: string][];
}

const { schedule }: BroadcasterSettings = JSON.parse(await text(process.stdin));
const open: ServerResponse[] = [];

const server = createServer((request, response) => {
  if (request.url === '/begin') {
    response.end();
    for (const [ms, words] of schedule) {
      const bytes = Buffer.from(words);
      setTimeout(() => {
        for (const each of open) each.write(bytes);
      }, ms);
    }
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  response.write(`event: ${helloEvent}\ndata: {"at":""}\n\n`);
  open.push(response);
  response.on('close', () => open.splice(open.indexOf(response), 1));
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : address;
  process.stdout.write(`ready at http://127.0.0.1:${port}\n`);
});
process.on('SIGTERM', () => process.exit(0));
