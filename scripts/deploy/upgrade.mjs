// @ts-check
// Replaces the server processes: one by one under load, then all together while a phone is in use.
import { randomUUID } from 'node:crypto';
import { create, packageOf } from './journey.mjs';
import { insist, until } from './report.mjs';

/**
 * @typedef {import('./site.mjs').Site} Site
 * @typedef {Awaited<ReturnType<ReturnType<typeof import('./servers.mjs').createServers>['start']>>} Server
 * @typedef {{ start(port: number): Promise<Server> }} Servers
 */

/** Creates one package as the engine does: retries under one key until answered.
 * @param {Site} site @param {string} token @param {number} number @returns {Promise<number>} tries */
async function send(site, token, number) {
  const body = {
    _id: randomUUID(),
    pickupAddress: '12 Kofar Mata Road, Kano',
    deliveryAddress: '4 Zoo Road, Kano',
    recipientName: 'Musa Ibrahim',
    recipientPhone: '0805 765 4321',
    description: `Bale ${number}`,
    pickupDate: new Date(Date.now() + 24 * 3_600_000).toISOString(),
    priceOffer: 1500,
    paymentMethod: 'cash',
  };
  const headers = { 'idempotency-key': randomUUID() };
  for (let tries = 1; ; tries += 1) {
    const answer = await site.ask('POST', '/api/packages', { token, body, headers });
    if (answer.status === 201) return tries;
    if (answer.status < 500) throw new Error(`${answer.status} ${answer.body}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** @param {Server[]} running @param {Servers} servers @returns {Promise<Server[]>} */
async function oneAfterAnother(running, servers) {
  const fresh = [];
  for (const old of running) {
    insist('exit code', await old.stop(), 0);
    fresh.push(await servers.start(old.port));
  }
  return fresh;
}

/** @param {{ site: Site, token: string, running: Server[], servers: Servers }} stage */
export async function upgradeWhileServing({ site, token, running, servers }) {
  let isOver = false;
  let sent = 0;
  let again = 0;
  const sending = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      sent += 1;
      again += (await send(site, token, sent)) - 1;
    }
  });
  const upgrading = oneAfterAnother(running, servers).finally(() => {
    isOver = true;
  });
  const [fresh] = await Promise.all([upgrading, ...sending]);
  const rows = await site.call('GET', '/api/packages', { token });
  const bales = rows.filter((/** @type {any} */ row) => row.description.startsWith('Bale '));
  const different = new Set(bales.map((/** @type {any} */ row) => row.description));
  insist('packages', [bales.length, different.size], [sent, sent]);
  return { fresh, sent, again };
}

/**
 * Also covers a downgrade: the server starts on a database with more migrations than it knows.
 * @param {{ site: Site, database: import('pg').Client, sender: import('./journey.mjs').Phone, amina: import('./journey.mjs').Person, running: Server[], servers: Servers }} stage
 */
export async function upgradeAtOnce({ site, database, sender, amina, running, servers }) {
  const cloth = 'Two bolts of indigo cloth';
  const codes = await Promise.all(running.map((server) => server.stop()));
  insist('exit codes', codes, [0, 0]);
  const away = await site.ask('GET', '/readyz');
  insist('nginx alone', away.status, 502);
  await create(sender.page, cloth, 'Cash on Delivery');
  await sender.page
    .getByRole('article')
    .filter({ hasText: cloth })
    .getByText('Waiting to send')
    .waitFor();
  await database.query(
    `insert into drizzle.__drizzle_migrations (hash, created_at) values ('of later', $1)`,
    [Date.now() + 24 * 3_600_000],
  );
  const fresh = await Promise.all(running.map(({ port }) => servers.start(port)));
  const startedAt = Date.now();
  await until(
    'what waited arrives',
    async () => (await packageOf(site, amina, cloth)) !== undefined,
    60_000,
  );
  return { fresh, waitedMs: Date.now() - startedAt };
}
