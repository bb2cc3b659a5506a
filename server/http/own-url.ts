import type { FastifyInstance } from 'fastify';

const anyAddress: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** The URL at which this server can call itself; null before it listens. */
export function ownUrlOf(app: FastifyInstance): string | null {
  const address = app.server.address();
  if (address === null || typeof address === 'string') return null;
  const host = anyAddress[address.address] ?? address.address;
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
}
