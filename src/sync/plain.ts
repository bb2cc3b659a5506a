/**
 * Sends operations to a server that knows only the specification's table: no keys, no versions, no
 * ids of the phone's own, no events, and answers that may not show the row.
 *
 * So it looks before it writes. Exactly one effect, as far as such a server allows:
 *
 *   PATCH, DELETE ─▶ GET the row ──as wanted──▶ done     ──not allowed now──▶ refused, here
 *                                └─▶ write ─▶ the row as answered, or read again
 *   POST ─▶ list ─▶ note the rows that look the same ─▶ write ─▶ the row as answered, or the new one
 *            └─ after a lost answer: one that was not noted is the one that was made
 */
import { ApiFailure, malformedAnswer } from '#api/failure.ts';
import { appRefusals } from '#contract/errors.ts';
import type { CreatePackageBody } from '#contract/package.ts';
import { isCall, type Operation, type OperationOf, requestOf } from '#domain/operation.ts';
import { type Package, packageToWire, storedPackage, withChanges } from '#domain/package.ts';
import { differingFields, type PackagePatch, readPatch } from '#domain/patch.ts';
import { type Actor, can, factsOf, type Refusal } from '#domain/policy.ts';
import { patchBodyOf, type ServerAnswer } from './operations.ts';
import type { SyncApi } from './ports.ts';

export interface PlainContext {
  api: SyncApi;
  actor: Actor;
  /** Before a create's first attempt: ids of rows that looked the same; null: not yet sent. */
  lookalikes: readonly string[] | null;
  /** Durable once resolved. */
  noteLookalikes(ids: string[]): Promise<void>;
}

function refusal(code: Refusal): ApiFailure {
  const { status, message } = appRefusals[code];
  return new ApiFailure({ kind: 'http', status, code, message });
}

/** Is it a 404? A plain server has no error codes. */
const isMissing = (error: unknown) =>
  error instanceof ApiFailure && error.failure.kind === 'http' && error.failure.status === 404;

/** Null: there is none. */
async function look(api: SyncApi, id: string): Promise<Package | null> {
  try {
    return await api.getPackage(id);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** This operation as a patch of the specification's table; null: it cannot be expressed. */
function patchOf(operation: Operation): PackagePatch | null {
  if (isCall(operation)) return null;
  const request = requestOf(operation);
  if (request.via === 'patch') return { ...request.patch, baseVersion: undefined };
  if (operation.name === 'correctStep') {
    // A delivery is the only correctable step that a PATCH can express.
    const { paymentStatus } = operation.args.before ?? {};
    return { status: 'in-transit', paymentStatus, changes: {} };
  }
  if (request.event.type !== 'delivered') return null;
  return { status: 'delivered', paymentStatus: request.event.cashCollected && 'paid', changes: {} };
}

/** Does the row say all of it already? */
function isAsWanted(row: Package, { courierId, status, paymentStatus, changes }: PackagePatch) {
  const stored = storedPackage(row);
  return (
    (courierId === undefined || courierId === stored.courierId) &&
    (status === undefined || status === stored.status) &&
    (paymentStatus === undefined || paymentStatus === stored.paymentStatus) &&
    differingFields(stored, withChanges(stored, changes)).length === 0
  );
}

async function change(operation: Operation, { api, actor }: PlainContext): Promise<ServerAnswer> {
  const { id, targetId } = operation;
  const patch = patchOf(operation);
  if (!patch) throw refusal('invalid_state');
  const row = await look(api, targetId);
  if (!row) throw refusal('not_found');
  if (isAsWanted(row, patch)) return { kind: 'row', row };
  // A correction is always allowed to the person who took the step.
  const isJudged = operation.name !== 'correctStep';
  const reading = isJudged && readPatch(actor, storedPackage(row), patch, row.updatedAt);
  if (reading && !reading.isAllowed) throw refusal(reading.code);
  return { kind: 'row', row: await api.patchPackage(targetId, patchBodyOf(patch), id) };
}

async function remove(
  { id, targetId }: Operation,
  { api, actor }: PlainContext,
): Promise<ServerAnswer> {
  const row = await look(api, targetId);
  if (row) {
    const decision = can(actor, 'delete', factsOf(row));
    if (!decision.isAllowed) throw refusal(decision.code);
    await api.deletePackage(targetId, id);
  }
  return { kind: 'packageGone', id: targetId };
}

/** The fields of the table. Notes, which it has no place for, follow the description. */
function tableBody(args: CreatePackageBody, actor: Actor): CreatePackageBody {
  return {
    senderId: args.senderId ?? actor.id,
    pickupAddress: args.pickupAddress,
    deliveryAddress: args.deliveryAddress,
    recipientName: args.recipientName,
    recipientPhone: args.recipientPhone,
    recipientEmail: args.recipientEmail,
    description: [args.description, args.notes].filter(Boolean).join('\n'),
    deliveryDate: args.deliveryDate,
    pickupDate: args.pickupDate,
    priceOffer: args.priceOffer,
    paymentMethod: args.paymentMethod,
  } as CreatePackageBody;
}

const compared = ['pickupAddress', 'deliveryAddress', 'recipientName', 'description'] as const;

function isLookalike(row: Package, body: CreatePackageBody): boolean {
  const wire = packageToWire(row);
  return (
    compared.every((name) => wire[name].trim() === body[name].trim()) &&
    wire.priceOffer === body.priceOffer &&
    Date.parse(wire.pickupDate) === Date.parse(body.pickupDate)
  );
}

async function create(
  { id, args }: OperationOf<'createPackage'>,
  { api, actor, lookalikes, noteLookalikes }: PlainContext,
): Promise<ServerAnswer> {
  const body = tableBody(args, actor);
  const readLookalikes = async () => {
    const { rows } = await api.pullPackages('');
    return rows.filter((row) => isLookalike(row, body));
  };
  let noted = lookalikes;
  const before = await readLookalikes();
  if (noted) {
    const made = before.find((row) => !noted?.includes(row.id));
    if (made) return { kind: 'row', row: made };
  } else {
    noted = before.map((row) => row.id);
    await noteLookalikes([...noted]);
  }
  const answered = await api.createPackage(body, id);
  const made = answered ?? (await readLookalikes()).find((row) => !noted.includes(row.id));
  if (!made) throw malformedAnswer('The package that was made is not in the list.');
  return { kind: 'row', row: made };
}

/** Like the operation's own call. Rejects with ApiFailure. */
export async function sendPlainly(
  operation: Operation,
  context: PlainContext,
): Promise<ServerAnswer> {
  if (operation.name === 'createPackage') return create(operation, context);
  if (operation.name === 'deletePackage') return remove(operation, context);
  return change(operation, context);
}
