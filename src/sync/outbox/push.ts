/**
 * Drains the outbox: up to four lanes in parallel, each strictly by seq.
 *
 *   head of lane ──send──▶ ok ─────────▶ acknowledged, next of the lane
 *                    ├───▶ rejected ───▶ it and the rest of the lane to 'attention'
 *                    ├───▶ retry ──────▶ backed off; the lane waits, the other lanes go on
 *                    └───▶ signedOut ──▶ everything stops and is kept
 */

import { ApiFailure } from '#api/failure.ts';
import { fromPhoneTime } from '#api/server-time.ts';
import { noVersion } from '#contract/version.ts';
import { readIsPlain } from '#db/backend.ts';
import type { OutboxRow, UserDatabase } from '#db/user-database.ts';
import { laneOf, type Operation, type OperationError, operations } from '#domain/operation.ts';
import { upgradeOperation } from '#domain/operation-migrations.ts';
import { type Failure, isUnanswered, outcomeOf } from '#domain/outcome.ts';
import { packageLane } from '#domain/package-views.ts';
import { isProfileComplete, roleOf } from '#domain/user.ts';
import { type Fence, fenced } from '#sync/coordination/lease.ts';
import { sendOperation } from '#sync/operations.ts';
import { type PlainContext, sendPlainly } from '#sync/plain.ts';
import type { Ports } from '#sync/ports.ts';
import { isBackedOff, type RetryScope, waitAfter } from '#sync/retry/back-off.ts';
import { inRoom, isFull } from '#sync/room.ts';
import {
  acknowledge,
  backOffOperation,
  headOf,
  readHeads,
  readOutboxId,
  refuseOperation,
  type Unstored,
  withUnstored,
  writerOf,
} from './outbox.ts';
import { sortOutbox } from './quarantine.ts';

const parallelLanes = 4;

/** The server's word on an operation; `refused`: or on one that it depends on. */
export interface SettledOperation {
  kind: 'acknowledged' | 'refused';
  operation: Operation;
}

export interface PushPorts {
  db: UserDatabase;
  fence: Fence;
  userId: string;
  ports: Ports;
  unlessStopped<T>(answer: Promise<T>): Promise<T>;
  onAnswered(settled: SettledOperation): void;
  /** Returns a function called when the try has ended. */
  onSending(operation: OutboxRow): () => void;
  /** The latest failure; null after a proper response. */
  onHeard(failure: Failure | null): void;
  /** Called on bugs, not server errors. */
  onFault(cause: unknown): void;
  unstored: Unstored;
}

export interface PushResult {
  refused: number;
  isSignedOut: boolean;
  isOffline: boolean;
}

const isNeedingProfile = ({ name }: OutboxRow) => operations[name].needsProfile;

async function hasWholeProfile(db: UserDatabase, userId: string): Promise<boolean> {
  const self = await db.users.get(userId);
  return self !== undefined && isProfileComplete(self);
}

/** The only dependency across lanes: a profile completed offline is sent before its dependents. */
function createProfileGate(db: UserDatabase, userId: string) {
  const lane = laneOf({ name: 'editProfile', targetId: userId });
  let isWhole = false;
  return async function waitsForProfile(row: OutboxRow): Promise<boolean> {
    if (isWhole || !isNeedingProfile(row)) return false;
    isWhole = await hasWholeProfile(db, userId);
    if (isWhole) return false;
    const edit = await headOf(db, lane);
    return edit !== undefined && edit.seq < row.seq;
  };
}

const isUpload = ({ name }: Pick<OutboxRow, 'name'>) => name === 'uploadProof';

/** The next picture to send; undefined: none. It waits for earlier operations on its package. */
export async function readyUpload(
  { db, ports, unstored }: Pick<PushPorts, 'db' | 'ports' | 'unstored'>,
  scope: RetryScope,
  tried: ReadonlySet<number>,
): Promise<OutboxRow | undefined> {
  const heads = await readHeads(db, unstored);
  const nowMs = ports.clock.now();
  return heads.find((head) => {
    const before = heads.find(({ lane }) => lane === packageLane(head.targetId));
    const isBehind = before !== undefined && before.seq < head.seq;
    return isUpload(head) && !tried.has(head.seq) && !isBehind && !isBackedOff(head, nowMs, scope);
  });
}

/** The heads of lanes that can be sent now; pictures are sent after all of them. */
export async function readyHeads(
  { db, userId, ports, unstored }: Pick<PushPorts, 'db' | 'userId' | 'ports' | 'unstored'>,
  scope: RetryScope,
): Promise<OutboxRow[]> {
  const heads = await readHeads(db, unstored);
  const lane = laneOf({ name: 'editProfile', targetId: userId });
  const edit = heads.find((head) => head.lane === lane);
  const isProfileDue = edit !== undefined && !(await hasWholeProfile(db, userId));
  const nowMs = ports.clock.now();
  return heads.filter((head) => {
    const waitsForProfile = isProfileDue && isNeedingProfile(head) && edit.seq < head.seq;
    return !isUpload(head) && !waitsForProfile && !isBackedOff(head, nowMs, scope);
  });
}

function faultFailure(cause: unknown): Failure {
  const message = cause instanceof Error ? cause.message : String(cause);
  return { kind: 'malformed', status: 0, code: 'fault', message };
}

function errorOf(failure: Failure, nowMs: number): OperationError {
  return {
    // Without a server code, `kind` tells the screens what they need.
    code: failure.code || failure.kind,
    message: failure.message,
    ...(failure.fields ? { fields: failure.fields } : {}),
    status: failure.status,
    at: fromPhoneTime(new Date(nowMs).toISOString()),
  };
}

/** Written by another app version, or damaged: must be sorted before sending. */
function isForeign(row: OutboxRow): boolean {
  const upgraded = upgradeOperation(row);
  return !('operation' in upgraded) || upgraded.operation !== row;
}

/** Migrates the outbox to this version and reports what moved to `attention`. */
export async function sortQueue(context: PushPorts): Promise<void> {
  const at = fromPhoneTime(new Date(context.ports.clock.now()).toISOString());
  const sorting = inRoom(context, () => sortOutbox({ ...context, at }), { isWork: true });
  const moved = await sorting.catch((cause: unknown) => {
    // `isForeign` holds back the lanes that need it; the others are sent.
    if (!isFull(cause)) throw cause;
    return [];
  });
  for (const operation of moved) context.onAnswered({ kind: 'refused', operation });
}

/**
 * Sends all ready operations, or only `upload`. Rejects only with a database error or StoppedError.
 */
export async function push(
  context: PushPorts,
  scope: RetryScope,
  upload?: OutboxRow,
): Promise<PushResult> {
  const { db, ports } = context;
  const result: PushResult = { refused: 0, isSignedOut: false, isOffline: false };

  async function refuse(row: OutboxRow, failure: Failure, current?: ApiFailure['current']) {
    const error = errorOf(failure, ports.clock.now());
    const refused = await refuseOperation(context, row, error, current);
    // The server replays its response: it is stored at a later attempt, once there is room.
    if (refused === null) return backOff(row, failure);
    result.refused += 1;
    for (const operation of refused) context.onAnswered({ kind: 'refused', operation });
  }

  async function backOff(row: OutboxRow, failure: Failure) {
    const nowMs = ports.clock.now();
    await backOffOperation(context, row, errorOf(failure, nowMs), {
      fromMs: nowMs,
      untilMs: nowMs + waitAfter(failure, row.tries + 1, ports.random),
      isServerRequested: failure.retryAfterMs !== undefined,
    });
  }

  async function fail(row: OutboxRow, error: unknown): Promise<void> {
    const isApiFailure = error instanceof ApiFailure;
    if (!isApiFailure) context.onFault(error);
    const failure = isApiFailure ? error.failure : faultFailure(error);
    const outcome = outcomeOf(failure);
    if (outcome === 'rejected') {
      context.onHeard(null);
      result.isOffline = false;
      return refuse(row, failure, isApiFailure ? error.current : undefined);
    }
    // The network may be too slow for a picture and still be good enough for all else.
    if (isUpload(row) && failure.kind === 'timeout') return backOff(row, failure);
    context.onHeard(failure);
    if (outcome === 'signedOut') {
      result.isSignedOut = true;
      return;
    }
    result.isOffline = isUnanswered(failure);
    await backOff(row, failure);
  }

  const outboxId = await readOutboxId(context, ports.newId);
  const isPlainServer = await readIsPlain(db);

  /** By the row itself where there is one. */
  async function plainContext(row: OutboxRow): Promise<PlainContext | undefined> {
    const known = await db.packages.get(row.targetId);
    const isPlain = known ? known.version === noVersion : isPlainServer;
    if (!isPlain) return undefined;
    const self = await db.users.get(context.userId);
    const role = roleOf(self?.roles ?? []);
    return {
      api: ports.api,
      // Whether the profile is complete is the server's to say.
      actor: { id: context.userId, role, isProfileComplete: true },
      lookalikes: row.twins ?? null,
      noteLookalikes: async (twins) => {
        await fenced(db, context.fence, [db.outbox], () => db.outbox.update(row.seq, { twins }));
      },
    };
  }

  const waitsForProfile = createProfileGate(db, context.userId);
  const queue = upload ? [upload] : await readyHeads(context, scope);

  /** Sends one lane after another, each until it is empty or has to wait. */
  async function work(): Promise<void> {
    for (let first = queue.shift(); first; first = queue.shift()) {
      let row = withUnstored(await headOf(db, first.lane), context.unstored);
      while (row) {
        if (result.isSignedOut || result.isOffline) return;
        if (isBackedOff(row, ports.clock.now(), scope)) break;
        if (await waitsForProfile(row)) break;
        if (isForeign(row)) {
          await sortQueue(context);
          const sorted = await headOf(db, row.lane);
          if (sorted && isForeign(sorted)) break;
          row = sorted;
          continue;
        }
        const plain = await plainContext(row);
        const end = context.onSending(row);
        const sending = sendOperation(row, {
          api: ports.api,
          writer: writerOf(outboxId, row),
          sendPlainly: plain && ((operation) => sendPlainly(operation, plain)),
          pictureOf: (id) => db.proofs.get(id),
        }).then(
          (applied) => ({ applied }),
          (error: unknown) => ({ error }),
        );
        const sent = await context.unlessStopped(sending).finally(end);
        if ('error' in sent) {
          await fail(row, sent.error);
          break;
        }
        result.isOffline = false;
        const next = await acknowledge(context, row, sent.applied);
        context.onHeard(null);
        context.onAnswered({ kind: 'acknowledged', operation: row });
        row = next;
      }
    }
  }

  // Waits for all before it rejects.
  // A plain server's creates are found by comparing the list before and after.
  const length = isPlainServer ? 1 : parallelLanes;
  const lanes = await Promise.allSettled(Array.from({ length }, work));
  const failed = lanes.find((lane) => lane.status === 'rejected');
  if (failed) throw failed.reason;
  return result;
}
