/** Sends operations. The only place that writes the domain's requests (domain/operation) to the wire. */
import { ApiFailure, malformedAnswer } from '#api/failure.ts';
import { appRefusals } from '#contract/errors.ts';
import type { PatchPackageBody } from '#contract/package.ts';
import type { Writer } from '#contract/writer.ts';
import {
  type CallName,
  type CallOf,
  isCall,
  type Operation,
  operations,
  requestOf,
} from '#domain/operation.ts';
import { outcomeOf } from '#domain/outcome.ts';
import type { Package } from '#domain/package.ts';
import type { PackagePatch } from '#domain/patch.ts';
import type { ProofPicture } from '#domain/proof-picture.ts';
import { statusLabel } from '#domain/status.ts';
import type { User } from '#domain/user.ts';
import type { SyncApi } from './ports.ts';

export type Applied =
  | { kind: 'row'; row: Package | User }
  | { kind: 'packageGone'; id: string }
  | { kind: 'stored'; proofId: string };

/** Like `Applied`; a null row has to be read again. */
export type ServerAnswer = Applied | { kind: 'row'; row: null };

export interface SendContext {
  api: SyncApi;
  writer: Writer;
  /** To a server without the extensions; undefined: it has them. */
  sendPlainly?: ((operation: Operation) => Promise<ServerAnswer>) | undefined;
  /** Undefined: this phone no longer has it. */
  pictureOf(proofId: string): Promise<ProofPicture | undefined>;
}

/** The body of a PATCH; JSON leaves out what is undefined. */
export function patchBodyOf(patch: PackagePatch): PatchPackageBody {
  const { changes, courierId, status, paymentStatus, baseVersion } = patch;
  return {
    ...changes,
    deliveryPersonId: courierId,
    deliveryStatus: status && statusLabel(status),
    paymentStatus,
    baseVersion,
  };
}

/** Rejects with ApiFailure. */
type Send<N extends CallName> = (
  operation: CallOf<N>,
  context: SendContext,
) => Promise<ServerAnswer>;

/** Only our server's `not_found`: a gateway may answer 404 to everything during a deploy. */
function isGone(error: unknown): boolean {
  if (!(error instanceof ApiFailure) || error.failure.kind !== 'http') return false;
  return error.failure.code === 'not_found';
}

const calls: { [N in CallName]: Send<N> } = {
  createPackage: async ({ id, targetId, args }, { api }) => ({
    kind: 'row',
    row: await api.createPackage({ ...args, _id: targetId }, id),
  }),
  /**
   * `not_found` means done, because the package is gone as intended. It cannot mean 'not visible':
   * only the sender and admins may delete, and they always see the package.
   */
  deletePackage: async ({ id, targetId }, { api }) => {
    try {
      await api.deletePackage(targetId, id);
    } catch (error) {
      if (!isGone(error)) throw error;
    }
    return { kind: 'packageGone', id: targetId };
  },
  openDispute: async ({ id, targetId, args }, { api }) => ({
    kind: 'row',
    row: await api.openDispute(targetId, { _id: id, ...args }, id),
  }),
  uploadProof: async ({ targetId, args: { proofId, digest } }, { api, pictureOf }) => {
    const picture = await pictureOf(proofId);
    if (!picture) {
      const { status, message } = appRefusals.bad_picture;
      throw new ApiFailure({ kind: 'http', status, code: 'bad_picture', message });
    }
    const bytes = new Blob([picture.bytes], { type: picture.type });
    await api.putProof(targetId, proofId, { bytes, digest });
    return { kind: 'stored', proofId };
  },
  editProfile: async ({ id, targetId, args }, { api, writer }) => {
    const { changes, baseVersion } = args;
    // A row that came without a version has nothing to compare.
    const base = baseVersion ? { baseVersion } : {};
    return {
      kind: 'row',
      row: await api.patchUser({ id: targetId, ...changes, ...base }, id, writer),
    };
  },
};

const call = <N extends CallName>(operation: CallOf<N>, context: SendContext) =>
  calls[operation.name](operation, context);

const isReplay = (answer: ServerAnswer): answer is Exclude<ServerAnswer, Applied> =>
  answer.kind === 'row' && answer.row === null;

/** The answer to a create by a server that makes its own id, so the queue follows. */
export const isRenamed = ({ name, targetId }: Operation, applied: Applied): boolean =>
  name === 'createPackage' && applied.kind === 'row' && applied.row.id !== targetId;

async function readAgain(api: SyncApi, id: string): Promise<Applied> {
  try {
    return { kind: 'row', row: await api.getPackage(id) };
  } catch (error) {
    if (isGone(error)) return { kind: 'packageGone', id };
    if (!(error instanceof ApiFailure) || outcomeOf(error.failure) !== 'rejected') throw error;
    // The operation is done, so a refused read must not look like its refusal.
    throw new ApiFailure({ ...error.failure, kind: 'malformed' }, undefined, { cause: error });
  }
}

/**
 * Sends one operation once, with its id as Idempotency-Key. A replay counts as done, but its
 * package is read again; if that fails, the operation stays queued. Rejects with ApiFailure, also
 * if the answer concerns another row: a proxy that mixes up responses must not acknowledge an
 * operation.
 */
export async function sendOperation(operation: Operation, context: SendContext): Promise<Applied> {
  const { api, writer, sendPlainly } = context;
  const { id, name, targetId } = operation;
  let answer: ServerAnswer;
  if (sendPlainly && operations[name].target === 'package') {
    answer = await sendPlainly(operation);
  } else if (isCall(operation)) {
    answer = await call(operation, context);
  } else {
    const request = requestOf(operation);
    const sent =
      request.via === 'patch'
        ? api.patchPackage(targetId, patchBodyOf(request.patch), id, writer)
        : api.recordEvent(
            targetId,
            { ...request.event, _id: id, occurredAt: operation.createdAt },
            id,
          );
    answer = { kind: 'row', row: await sent };
  }
  const applied = isReplay(answer) ? await readAgain(api, targetId) : answer;
  if (applied.kind === 'stored') return applied;
  const target = applied.kind === 'packageGone' || 'sender' in applied.row ? 'package' : 'user';
  const rowId = applied.kind === 'row' ? applied.row.id : applied.id;
  const isMeant =
    rowId === targetId || (sendPlainly !== undefined && isRenamed(operation, applied));
  if (isMeant && target === operations[name].target) return applied;
  throw malformedAnswer('The response concerns another row.');
}
