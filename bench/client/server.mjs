// @ts-check
// The bench's pages, and two servers: `/after/50` takes 50 ms and responds to an edit with the
// whole row, one version on; its lists have no changes. `/holding/1000` serves 1,000 packages
// without delay.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { serve, types } from '#bench/serve.mjs';

/** @param {string} id @param {number} version @param {object} changes */
function changedPackage(id, version, changes) {
  const person = { firstName: 'Amina', lastName: 'Bello', email: 'amina@kaya.test' };
  return {
    _id: id,
    packageId: 'KY-000001',
    version,
    senderId: { _id: '10000000-0000-4000-8000-000000000001', ...person, phoneNumber: '0803' },
    deliveryPersonId: null,
    recipientName: 'Musa Ibrahim',
    recipientPhone: '0805 765 4321',
    recipientEmail: null,
    description: 'Two bolts of indigo cloth',
    notes: null,
    pickupAddress: '12 Kofar Mata Road, Kano',
    deliveryAddress: '4 Zoo Road, Kano',
    pickupDate: '2026-11-22T08:00:00.000Z',
    deliveryDate: null,
    priceOffer: 1500,
    paymentMethod: 'cash',
    deliveryStatus: 'Pending',
    paymentStatus: 'unpaid',
    createdAt: '2026-11-21T09:00:00.000Z',
    updatedAt: '2026-11-21T09:00:00.000Z',
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

/** Rows per page, like the product's server (server/modules/sync/delta.ts). */
const pageSize = 500;

/**
 * A page of a full list; `since` is the previous page's cursor.
 * @param {number} count @param {number} since
 * @param {import('node:http').ServerResponse} response
 */
function answerPage(count, since, response) {
  const end = Math.min(count, since + pageSize);
  response.setHeader('sync-cursor', String(end));
  if (end < count) response.setHeader('sync-more', 'true');
  if (since === 0) response.setHeader('sync-reset', 'true');
  const rows = Array.from({ length: end - since }, (_, index) => {
    const number = since + index + 1;
    const hash = createHash('md5').update(String(number)).digest('hex');
    const id = `${hash.slice(0, 8)}-0000-4000-8000-${hash.slice(8, 20)}`;
    const createdAt = new Date(Date.UTC(2026, 9, 1) + number * 60_000).toISOString();
    const name = { packageId: `KY-${String(number).padStart(6, '0')}`, createdAt };
    return changedPackage(id, 1, { ...name, pickupAddress: `${number} Zoo Road, Kano` });
  });
  response.end(JSON.stringify(rows));
}

/**
 * @param {string} folder of the built pages
 * @returns {Promise<{ url: string, stop(): Promise<void> }>}
 */
export async function startServer(folder) {
  /** @type {Map<string, { version: number, fields: object }>} */
  const known = new Map();
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://bench');
    const call = /^\/(after|holding)\/(\d+)\/api\/(packages|users)(?:\/(.+))?$/.exec(pathname);
    if (!call) {
      const file = path.join(folder, path.normalize(pathname));
      const type = types[path.extname(file)];
      const body = await readFile(file).catch(() => null);
      response.writeHead(body ? 200 : 404, { 'content-type': type ?? 'text/plain' });
      response.end(body);
      return;
    }
    const [, kind, number, list, id] = call;
    const changes = await bodyOf(request);
    const answer = () => {
      response.setHeader('content-type', 'application/json; charset=utf-8');
      response.setHeader('cache-control', 'no-store');
      if (kind === 'holding' && list === 'packages') {
        return answerPage(Number(number), Number(searchParams.get('since')), response);
      }
      if (id === undefined) {
        response.setHeader('sync-cursor', 'now');
        return response.end('[]');
      }
      const before = known.get(id) ?? { version: 1, fields: {} };
      const after = { version: before.version + 1, fields: { ...before.fields, ...changes } };
      known.set(id, after);
      return response.end(JSON.stringify(changedPackage(id, after.version, after.fields)));
    };
    const delayMs = kind === 'after' ? Number(number) : 0;
    if (delayMs === 0) answer();
    else setTimeout(answer, delayMs);
  });
  server.keepAliveTimeout = 60_000;
  return serve(server);
}
