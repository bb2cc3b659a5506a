// @ts-check
// The pages of the bench, and a server that takes its time: it answers an edit with the whole row,
// one version on, and has nothing new in its lists.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';

const types = { '.html': 'text/html', '.js': 'text/javascript', '.map': 'application/json' };

/** @param {string} id @param {number} version @param {object} changes */
function changedPackage(id, version, changes) {
  const person = { firstName: 'Amina', lastName: 'Bello', email: 'amina@kaya.test' };
  return {
    ...{ _id: id, packageId: 'KY-000001', version },
    senderId: { _id: '10000000-0000-4000-8000-000000000001', ...person, phoneNumber: '0803' },
    deliveryPersonId: null,
    ...{ recipientName: 'Musa Ibrahim', recipientPhone: '0805 765 4321', recipientEmail: null },
    ...{ description: 'Two bolts of indigo cloth', notes: null },
    ...{ pickupAddress: '12 Kofar Mata Road, Kano', deliveryAddress: '4 Zoo Road, Kano' },
    ...{ pickupDate: '2026-11-22T08:00:00.000Z', deliveryDate: null },
    ...{ priceOffer: 1500, paymentMethod: 'cash', deliveryStatus: 'Pending' },
    ...{ paymentStatus: 'unpaid' },
    ...{ createdAt: '2026-11-21T09:00:00.000Z', updatedAt: '2026-11-21T09:00:00.000Z' },
    ...changes,
  };
}

/** @param {import('node:http').IncomingMessage} request */
async function bodyOf(request) {
  let text = '';
  for await (const chunk of request) text += chunk;
  const { baseVersion: _, ...changes } = JSON.parse(text || '{}');
  return changes;
}

/**
 * @param {string} folder of the built pages
 * @returns {Promise<{ url: string, stop(): Promise<void> }>}
 */
export async function startServer(folder) {
  /** @type {Map<string, { version: number, fields: object }>} */
  const known = new Map();
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://bench');
    const call = /^\/after\/(\d+)\/api\/(packages|users)(?:\/(.+))?$/.exec(pathname);
    if (!call) {
      const file = path.join(folder, path.normalize(pathname));
      const type = types[/** @type {keyof typeof types} */ (path.extname(file))];
      const body = await readFile(file).catch(() => null);
      response.writeHead(body ? 200 : 404, { 'content-type': type ?? 'text/plain' });
      response.end(body);
      return;
    }
    const [, delayMs, , id] = call;
    const changes = await bodyOf(request);
    const answer = () => {
      response.setHeader('content-type', 'application/json; charset=utf-8');
      response.setHeader('cache-control', 'no-store');
      if (id === undefined) {
        response.setHeader('sync-cursor', 'now');
        return response.end('[]');
      }
      const before = known.get(id) ?? { version: 1, fields: {} };
      const after = { version: before.version + 1, fields: { ...before.fields, ...changes } };
      known.set(id, after);
      return response.end(JSON.stringify(changedPackage(id, after.version, after.fields)));
    };
    if (delayMs === '0') answer();
    else setTimeout(answer, Number(delayMs));
  });
  server.keepAliveTimeout = 60_000;
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
