/**
 * Sends queued notifications to push services. They are written in the transaction of the change
 * (repository `enqueueNotification`), so only committed changes are sent; one statement takes one
 * from the queue, so only one process sends it. A process that dies in between loses what it took:
 * the app learns of the change when it is opened.
 *
 *   nudge ──▶ take ──▶ for each phone: lane ──▶ send ──sent──▶ recorded
 *     ▲                                           ├─gone─────▶ pruned
 *   timer                                         ├─later────▶ waits, retried, finally lost
 *                                                 └─refused──▶ lost
 *
 * Each push service has a lane, so one that does not answer delays its own phones only. A phone that
 * keeps failing is tried once per notification; after a week it is pruned. An hour's outage of a push
 * service prunes none.
 */
import { setTimeout as after } from 'node:timers/promises';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { PushMessage } from '#contract/push.ts';
import { koboToNaira } from '#domain/money.ts';
import type { Database } from '#server/database/database.ts';
import { displayNumber } from '#server/modules/packages/found-package.ts';
import { errorForLog } from '#server/plugins/request-log.ts';
import { pushServiceOf } from './endpoint.ts';
import type { SendPush } from './push-service.ts';
import * as repository from './repository.ts';

/** Interval of sweeping up after a dead process or a database outage. */
const sweepMs = 30_000;

export const doubtfulAfter = 3;

export interface Pace {
  /** Calls to one push service at a time. */
  parallel: number;
  /** Messages held for one push service, including waiting ones; further ones are lost. */
  held: number;
  tries: number;
  /** Before the second attempt; each further one waits four times as long. */
  firstWaitMs: number;
  /** Upper bound of the wait a push service may request. */
  longestWaitMs: number;
}

export const pace: Pace = {
  parallel: 16,
  held: 5000,
  tries: 4,
  firstWaitMs: 1000,
  longestWaitMs: 60_000,
};

interface Lane {
  held: number;
  /** Runs now, or when others have left, in the order of asking. */
  pass<T>(work: () => Promise<T>): Promise<T>;
}

function createLane(parallel: number): Lane {
  const waiting: (() => void)[] = [];
  let free = parallel;
  return {
    held: 0,
    pass: async (work) => {
      if (free > 0) free -= 1;
      else await new Promise<void>((enter) => waiting.push(enter));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else free += 1;
      }
    },
  };
}

interface Needs {
  db: Database;
  now: () => Date;
  send: SendPush;
  log: Pick<FastifyBaseLogger, 'warn'>;
  pace: Pace;
}

export type Dispatcher = ReturnType<typeof createDispatcher>;

export function createDispatcher({ db, now, send, log, pace: limits }: Needs) {
  const lanes = new Map<string, Lane>();
  const held = new Set<Promise<void>>();
  /** How many came to which end. */
  const outcomes = { sent: 0, gone: 0, refused: 0, given_up: 0 };
  let draining: Promise<void> | null = null;
  let isNudged = false;
  let isStopping = false;

  const waitMs = (tried: number, asked: number | undefined) => {
    const own = limits.firstWaitMs * 4 ** (tried - 1) * (0.5 + Math.random());
    return Math.min(limits.longestWaitMs, Math.max(own, asked ?? 0));
  };

  const laneOf = (endpoint: string): Lane => {
    const service = pushServiceOf(endpoint);
    const lane = lanes.get(service) ?? createLane(limits.parallel);
    lanes.set(service, lane);
    return lane;
  };

  const deliver = async (
    to: repository.Recipient,
    message: PushMessage,
    signal: AbortSignal,
  ): Promise<void> => {
    const lane = laneOf(to.endpoint);
    const tries = to.failures >= doubtfulAfter ? 1 : limits.tries;
    for (let tried = 1; tried <= tries && !signal.aborted; tried += 1) {
      const outcome = await lane.pass(() => send(to, message, signal));
      if (outcome.kind !== 'later') outcomes[outcome.kind] += 1;
      if (outcome.kind === 'sent') return repository.recordSent(db, to.endpoint, now());
      if (outcome.kind === 'gone') return repository.prune(db, to);
      if (outcome.kind === 'refused') {
        log.warn({ status: outcome.status }, 'a push service refused a notification');
        return repository.recordFailure(db, to, now());
      }
      if (tried < tries) await after(waitMs(tried, outcome.afterMs), null, { signal });
    }
    if (signal.aborted) return;
    outcomes.given_up += 1;
    log.warn('a notification was given up: its push service does not take it');
    await repository.recordFailure(db, to, now());
  };

  /** By phone and package: a later state replaces an unsent one. */
  const latest = new Map<string, { ending: AbortController; done: Promise<void> }>();

  const hold = (to: repository.Recipient, message: PushMessage): void => {
    const key = `${message.id} ${to.endpoint}`;
    const former = latest.get(key);
    const lane = laneOf(to.endpoint);
    if (!former && lane.held >= limits.held) {
      log.warn('a notification was lost: too many wait for one push service');
      return;
    }
    former?.ending.abort();
    const ending = new AbortController();
    const { signal } = ending;
    if (isStopping) ending.abort();
    const done = Promise.resolve(former?.done)
      .then(() => deliver(to, message, signal))
      .catch((error: unknown) => {
        if (signal.aborted || !(error instanceof Error)) return;
        log.warn({ err: errorForLog(error) }, 'a notification was lost');
      })
      .finally(() => {
        held.delete(done);
        lane.held -= 1;
        if (latest.get(key)?.done === done) latest.delete(key);
      });
    held.add(done);
    lane.held += 1;
    latest.set(key, { ending, done });
  };

  const tell = async (row: repository.QueuedNotification): Promise<void> => {
    for (const { to, package: about } of await repository.findRecipients(db, row)) {
      const message = {
        kind: row.kind,
        id: row.packageId,
        to: to.userId,
        packageId: displayNumber(about.number),
        naira: koboToNaira(about.priceKobo),
        ...(row.kind === 'attemptFailed' && { reason: about.lastAttempt?.reason }),
      };
      hold(to, message);
    }
  };

  const drain = async (): Promise<void> => {
    while (isNudged && !isStopping) {
      isNudged = false;
      const row = await repository.takeNotification(db);
      if (!row) continue;
      isNudged = true;
      await tell(row);
    }
  };

  /** The queue may have rows. Returns immediately. */
  const nudge = (): void => {
    isNudged = true;
    if (draining || isStopping) return;
    draining = drain()
      .catch((error: unknown) => {
        isNudged = false;
        if (isStopping || !(error instanceof Error)) return;
        log.warn({ err: errorForLog(error) }, 'notifications could not be sent; retrying');
      })
      .finally(() => {
        draining = null;
        if (isNudged) nudge();
      });
  };

  /** Resolves once nothing is held or queued. */
  const idle = async (): Promise<void> => {
    while (draining || held.size > 0) await Promise.all([draining, ...held]);
  };

  return {
    nudge,
    held: () => held.size,
    outcomes: () => outcomes,
    idle,
    stop: async () => {
      isStopping = true;
      for (const { ending } of latest.values()) ending.abort();
      await idle();
    },
  };
}

/** Nudges after each successful change of a package, and every `sweepMs` while listening. */
export function dispatchWhileServing(app: FastifyInstance, dispatcher: Dispatcher): void {
  let timer: NodeJS.Timeout | undefined;
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? '';
    const isChange = request.method !== 'GET' && route.startsWith('/api/packages');
    if (isChange && reply.statusCode < 300) dispatcher.nudge();
    done();
  });
  app.addHook('onListen', async () => {
    dispatcher.nudge();
    timer = setInterval(dispatcher.nudge, sweepMs);
    timer.unref();
  });
  app.addHook('preClose', async () => {
    clearInterval(timer);
    await dispatcher.stop();
  });
}
