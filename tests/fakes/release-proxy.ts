/** A transparent proxy that can publish a new release: another service worker. */
import { createServer, request } from 'node:http';
import { close, open } from './local-server.ts';

export interface ReleaseProxy {
  url: string;
  /** Changes /sw.js by one byte. */
  publish(): void;
  /** Requests for /sw.js so far. */
  checks(): number;
  close(): Promise<void>;
}

export async function startReleaseProxy(targetUrl: string): Promise<ReleaseProxy> {
  const target = new URL(targetUrl);
  let release = 0;
  let checks = 0;
  const server = createServer((incoming, outgoing) => {
    const { method, url: path } = incoming;
    const headers = { ...incoming.headers };
    if (path === '/sw.js') {
      checks += 1;
      // Buffered and uncompressed, so that it can be extended.
      for (const name of ['accept-encoding', 'if-none-match', 'if-modified-since']) {
        delete headers[name];
      }
    }
    const onward = request(
      { host: target.hostname, port: target.port, method, path, headers },
      (answer) => {
        const isWorker = path === '/sw.js' && answer.statusCode === 200;
        const { 'content-length': length, ...rest } = answer.headers;
        const mark = isWorker ? `\n// ${'r'.repeat(release)}\n` : '';
        outgoing.writeHead(answer.statusCode ?? 502, {
          ...rest,
          ...(length ? { 'content-length': Number(length) + mark.length } : {}),
        });
        answer.on('error', () => outgoing.destroy());
        answer.on('data', (chunk) => outgoing.write(chunk));
        answer.on('end', () => outgoing.end(mark));
      },
    );
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  const port = await open(server);
  return {
    url: `http://127.0.0.1:${port}`,
    publish() {
      release += 1;
    },
    checks: () => checks,
    close: () => close(server),
  };
}
