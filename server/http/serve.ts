/**
 * Opens the database and listens; SIGTERM or SIGINT lets requests in flight finish. A failed start
 * exits with one sentence on stderr and code 1.
 */
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { productName } from '#contract/version.ts';
import { buildApp } from '#server/app.ts';
import type { Config } from '#server/config/config.ts';
import { webFolder } from '#server/config/project-root.ts';
import { StartupError } from '#server/config/startup-error.ts';
import type { Database, OpenDatabase } from '#server/database/database.ts';
import { openDatabase } from '#server/database/open.ts';
import { requestTimeouts } from '#server/database/postgres.ts';
import { startRetention } from '#server/database/retention.ts';
import { ensureFirstAdmin, type FirstAdmin } from '#server/modules/auth/first-admin.ts';
import { openPictureStore } from '#server/modules/proofs/open-store.ts';

export const shutdownMs = 10_000;

const listenComplaints: Record<string, (config: Config) => string> = {
  EADDRINUSE: ({ port }) =>
    `PORT ${port} is taken by another program. Stop that program or set PORT to another number.`,
  EACCES: ({ port }) =>
    `PORT ${port} may not be used by this user. Set PORT to a number above 1023.`,
  EADDRNOTAVAIL: ({ host }) =>
    `HOST ${host} is not an address of this machine. Set HOST to 127.0.0.1 or 0.0.0.0.`,
  ENOTFOUND: ({ host }) =>
    `HOST ${host} is not an address of this machine. Set HOST to 127.0.0.1 or 0.0.0.0.`,
};

async function listen(app: FastifyInstance, config: Config): Promise<number> {
  try {
    await app.listen({ port: config.port, host: config.host });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const complaint = listenComplaints[code];
    const unforeseen = `HOST ${config.host} and PORT ${config.port} cannot be listened on (${code || error}). Set HOST to 127.0.0.1 or 0.0.0.0 and PORT to a free number.`;
    throw new StartupError(complaint?.(config) ?? unforeseen);
  }
  const address: AddressInfo | string | null = app.server.address();
  return typeof address === 'object' && address !== null ? address.port : config.port;
}

function addressOf({ host }: Config, port: number): string {
  const isHere = ['127.0.0.1', '0.0.0.0', '::', '::1', 'localhost'].includes(host);
  const shown = host.includes(':') ? `[${host}]` : host;
  return `http://${isHere ? 'localhost' : shown}:${port}`;
}

function stopOnSignal(app: FastifyInstance, stopRest: () => Promise<void>): void {
  let isStopping = false;
  const stop = async () => {
    // A second signal exits immediately.
    if (isStopping) process.exit(1);
    isStopping = true;
    const cut = setTimeout(() => app.server.closeAllConnections(), shutdownMs);
    try {
      await app.close();
      await stopRest();
      process.exit(0);
    } catch {
      process.exit(1);
    } finally {
      clearTimeout(cut);
    }
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

export interface ServeNeeds {
  config: Config;
  open?: () => Promise<OpenDatabase>;
  now?: () => Date;
  /** Runs on the listening app, before readiness is announced. */
  beforeReady?: (app: FastifyInstance, db: Database) => Promise<void>;
}

const adminWords: Record<FirstAdmin, string> = {
  made: 'the first admin is ready: sign in with ADMIN_EMAIL and ADMIN_PASSWORD',
  promoted:
    'ADMIN_EMAIL had an account already: it is an admin now, with ADMIN_PASSWORD; its previous roles, password and sessions are gone',
  'left as it was': 'ADMIN_EMAIL is an admin already: ADMIN_PASSWORD was ignored',
};

/** Serves until a signal. Resolves when ready, after announcing it in one line on stdout. */
export async function serve(needs: ServeNeeds): Promise<void> {
  const { config, open, now = () => new Date(), beforeReady } = needs;
  const database = await (open?.() ?? openDatabase(config, requestTimeouts));
  try {
    const app = await buildApp({ config, database, webFolder, now });
    if (config.admin) {
      app.log.info(adminWords[await ensureFirstAdmin(database, config.admin, now())]);
    }
    const port = await listen(app, config);
    await beforeReady?.(app, database.db);
    const stopRetention = startRetention({
      database,
      store: openPictureStore(config.s3),
      log: app.log,
      now,
      proofDays: config.proofDays,
    });
    stopOnSignal(app, async () => {
      await stopRetention();
      await database.close();
    });
    process.stdout.write(`${productName} is ready at ${addressOf(config, port)}\n`);
  } catch (error) {
    await database.close();
    throw error;
  }
}
