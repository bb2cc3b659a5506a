// @ts-check
// `npm run deploy:check`: sets up what server/deploy and docs/operations.md describe on this
// machine (PostgreSQL, two server processes, nginx with HTTPS), runs the main job in a real browser
// and an operator's tasks, and prints the results. Exits with 1 on any deviation, and cleans up.
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { ensureBuilt, ensureInstalled, exitOnPrepareError } from '#server/commands/prepare.mjs';

await exitOnPrepareError(() => {
  ensureInstalled();
  ensureBuilt();
});
const { default: pg } = await import('pg');
const { freePort, startPostgres } = await import('#tests/postgres.mjs');
const { makeCertificate } = await import('./certificate.mjs');
const { backupAndRestore, logLines, metrics } = await import('./figures.mjs');
const { addresses, calls, page, tls } = await import('./front.mjs');
const { openGround } = await import('./ground.mjs');
const { deliverOne, newPhone, signIn, signUp, startBrowser } = await import('./journey.mjs');
const { startNginx } = await import('./nginx.mjs');
const { createReport, insist } = await import('./report.mjs');
const { createServers } = await import('./servers.mjs');
const { createSite } = await import('./site.mjs');
const { upgradeAtOnce, upgradeWhileServing } = await import('./upgrade.mjs');

const name = 'kaya.test';
const admin = { email: 'dispatcher@kaya.test', password: 'a-good-password' };
const metricsToken = randomBytes(32).toString('hex');

const ground = openGround();
const { check, table } = createReport();

/**
 * Creates two databases and their unprivileged owner, as in docs/operations.md.
 * @param {string} url of the cluster
 */
async function makeDatabases(url) {
  const password = randomBytes(12).toString('hex');
  const maker = await connectTo(url);
  await maker.query(`create role kaya_check login password '${password}'`);
  const urlOf = async (/** @type {string} */ database) => {
    await maker.query(
      `create database ${database} owner kaya_check encoding 'UTF8' template template0`,
    );
    const { host } = new URL(url);
    return `postgres://kaya_check:${password}@${host}/${database}`;
  };
  const urls = { site: await urlOf('kaya_check'), copy: await urlOf('kaya_check_copy') };
  await maker.end();
  return urls;
}

/** @param {string} url */
async function connectTo(url) {
  const client = new pg.Client({ connectionString: url });
  // The cluster may stop before the client disconnects.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function standUp() {
  const postgres = await startPostgres({ isDurable: true });
  if (!postgres) throw new Error('PostgreSQL not found. Install it and try again.');
  ground.onEnd(postgres.stop);
  const urls = await makeDatabases(postgres.url);
  const [httpPort, httpsPort] = [await freePort(), await freePort()];
  const [first, second] = [await freePort(), await freePort()];
  const certificate = makeCertificate(ground.folder, name);
  const site = createSite({ name, port: httpsPort, authority: certificate.authority });
  const servers = createServers(ground, {
    DATABASE_URL: urls.site,
    PUBLIC_URL: site.origin,
    METRICS_TOKEN: metricsToken,
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    // No real payment key, no external tiles.
    PAYSTACK_SECRET_KEY: '',
    PAYMENTS: 'sandbox',
    TILE_URL: 'off',
  });
  const running = await Promise.all([servers.start(first), servers.start(second)]);
  const nginx = await startNginx(ground, {
    name,
    httpPort,
    httpsPort,
    upstreams: [first, second],
    certificates: certificate.folder,
  });
  const what = `PostgreSQL ${postgres.version}, 2 processes, ${nginx}`;
  return { what, urls, httpPort, certificate, site, servers, running };
}

/** @param {Awaited<ReturnType<typeof standUp>>} stage @param {import('@playwright/test').Browser} browser */
async function walkThrough(stage, browser) {
  const { site, servers, urls } = stage;
  const database = await connectTo(urls.site);
  await check('names and protocols', () => tls(site, stage.httpPort, name));
  await check('page and files', () => page(site));
  await check('addresses', () => addresses(site, database));

  const [sender, courier] = [await newPhone(browser, site), await newPhone(browser, site)];
  const people = await check(
    'sign-up and sign-in, sender and courier; service worker',
    async () => {
      const amina = await signUp(sender, site, 'User', 'Amina');
      const sani = await signUp(courier, site, 'Delivery Personnel', 'Sani');
      const spoken = [await signIn(sender, amina), await signIn(courier, sani)];
      insist('the protocol of the browser', spoken, ['h2', 'h2']);
      return { amina, sani };
    },
    () => 'both signed in, the worker controls the page, the browser uses h2',
  );
  await check('calls', () => calls(site, people.amina.token));
  await check('events through nginx', async () => {
    const { amina } = people;
    const stream = await site.listen(amina.token);
    insist('encoding', stream.headers['content-encoding'], undefined);
    const heard = stream.next();
    const adminToken = await site.signIn(admin);
    const askedAt = performance.now();
    const body = { id: amina.id, amount: 5000, reason: 'A deposit in cash' };
    await site.call('PATCH', '/api/users/balance', { token: adminToken, body });
    await heard;
    stream.close();
    return `${Math.round(performance.now() - askedAt)} ms from the change to the event`;
  });
  await check(
    'create, live update, accept offline after a reload, deliver',
    () => deliverOne({ sender, courier, site, ...people }),
    ({ offerMs, seenMs, earned }) =>
      `offer seen after ${offerMs} ms, acceptance after ${seenMs} ms, ₦${earned} earned`,
  );
  await check('metrics', () =>
    metrics(
      site,
      stage.running.map(({ port }) => port),
      metricsToken,
    ),
  );
  await check('backup, restore, audit', async () => {
    const copy = await connectTo(urls.copy);
    // The restore creates the tables.
    const into = path.join(ground.folder, 'backups');
    mkdirSync(into);
    const told = await backupAndRestore(servers, into, {
      site: database,
      copy,
      copyUrl: urls.copy,
    });
    await copy.end();
    return told;
  });
  const rolled = await check(
    'upgrade, one process after another, under load',
    () => upgradeWhileServing({ ...stage, token: people.amina.token }),
    ({ sent, again }) => `${sent} packages sent, ${again} retries, each stored once`,
  );
  await check(
    'upgrade, both at once, phone in use, database of a later version',
    () => upgradeAtOnce({ ...stage, database, sender, amina: people.amina, running: rolled.fresh }),
    ({ waitedMs }) => `502 while down, the queue arrived ${waitedMs} ms after the start`,
  );
  await check('ledger and log at the end', () => {
    const audit = servers.command('audit', urls.site);
    return `${audit} ${logLines(servers.log())}`;
  });
  insist('uncaught errors in the pages', [...sender.faults, ...courier.faults], []);
  await database.end();
}

/** @type {import('@playwright/test').Browser | undefined} */
let browser;
try {
  const stage = await check('setup', standUp, ({ what }) => what);
  browser = await startBrowser({ name, spki: stage.certificate.spki });
  await walkThrough(stage, browser);
} catch (error) {
  process.exitCode = 1;
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  for (const page of browser?.contexts().flatMap((context) => context.pages()) ?? []) {
    const text = await page.innerText('body').catch(() => 'nothing that could be read');
    process.stderr.write(`\n${page.url()} showed:\n${text}\n`);
  }
} finally {
  await browser?.close();
}
process.stdout.write(`${table()}\n`);
// Child processes end with this one (ground).
process.exit();
