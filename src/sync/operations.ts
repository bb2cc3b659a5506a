/** How each operation is sent: a PATCH of its package by domain/operation, or a call of its own. */
import { ApiFailure } from '#api/failure.ts';
import type { Writer } from '#contract/writer.ts';
import {
  type CallName,
  type Operation,
  type OperationOf,
  operations,
  patchBodyOf,
} from '#domain/operation.ts';
import { outcomeOf } from '#domain/outcome.ts';
import type { Package } from '#domain/package.ts';
import type { User } from '#domain/user.ts';
import type { SyncApi } from './ports.ts';

/** What the server made of an operation, for the mirror. */
export type Applied = { kind: 'row'; row: Package | User } | { kind: 'packageGone'; id: string };

/** As `Applied`; a row of null has to be read again. */
type Answered = Applied | { kind: 'row'; row: null };

/** Rejects with ApiFailure. */
type Send<N extends CallName> = (
  api: SyncApi,
  operation: OperationOf<N>,
  writer: Writer,
) => Promise<Answered>;

/** Our server's own word only: a gateway in the middle of a deploy says 404 of everything. */
function isGone(error: unknown): boolean {
  if (!(error instanceof ApiFailure) || error.failure.kind !== 'http') return false;
  return error.failure.code === 'not_found';
}

const calls: { [N in CallName]: Send<N> } = {
  createPackage: async (api, { id, targetId, args }) => ({
    kind: 'row',
    row: await api.createPackage({ ...args, _id: targetId }, id),
  }),
  /**
   * A package that is gone is what the person wanted, no matter who removed it: `not_found` is done here,
   * not a refusal (elsewhere it is one). Only its sender and admins can delete, and they always see
   * it, so it cannot mean 'not yours to see' to the one who was offered the button.
   */
  deletePackage: async (api, { id, targetId }) => {
    try {
      await api.deletePackage(targetId, id);
    } catch (error) {
      if (!isGone(error)) throw error;
    }
    return { kind: 'packageGone', id: targetId };
  },
  editProfile: async (api, { id, targetId, args }, writer) => {
    const { changes, ...base } = args;
    return {
      kind: 'row',
      row: await api.patchUser({ id: targetId, ...changes, ...base }, id, writer),
    };
  },
};

async function send(api: SyncApi, operation: Operation, writer: Writer): Promise<Answered> {
  const { id, name, targetId } = operation;
  const body = patchBodyOf(operation);
  if (body !== null)
    return { kind: 'row', row: await api.patchPackage(targetId, body, id, writer) };
  // Name and operation belong together, which the compiler does not see.
  return (calls[name as CallName] as Send<CallName>)(api, operation as never, writer);
}

const isReplay = (answer: Answered): answer is Exclude<Answered, Applied> =>
  answer.kind === 'row' && answer.row === null;

/** The package as it is now. */
async function readAgain(api: SyncApi, id: string): Promise<Applied> {
  try {
    return { kind: 'row', row: await api.getPackage(id) };
  } catch (error) {
    if (isGone(error)) return { kind: 'packageGone', id };
    if (!(error instanceof ApiFailure) || outcomeOf(error.failure) !== 'rejected') throw error;
    // What is done must not be shown as refused, whatever something on the way says of the read.
    throw new ApiFailure({ ...error.failure, kind: 'malformed' }, undefined, { cause: error });
  }
}

/**
 * One try of one operation, under its own id as key. A replay counts as done, and is only a hint:
 * its package is read again, and if that fails the operation stays and gets its replay once more.
 * Rejects with ApiFailure, also where the answer is about something else: a proxy that mixes up two answers must not take an operation for done.
 */
export async function sendOperation(
  api: SyncApi,
  operation: Operation,
  writer: Writer,
): Promise<Applied> {
  const { name, targetId } = operation;
  const answer = await send(api, operation, writer);
  const applied = isReplay(answer) ? await readAgain(api, targetId) : answer;
  const target = applied.kind === 'packageGone' || 'sender' in applied.row ? 'package' : 'user';
  const id = applied.kind === 'row' ? applied.row.id : applied.id;
  if (id === targetId && target === operations[name].target) return applied;
  const message = 'The answer was about something else.';
  throw new ApiFailure({ kind: 'malformed', status: 200, code: '', message });
}
