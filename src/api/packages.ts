/** `key` is the Idempotency-Key, the operation's id. */
import { type Area, areaText } from '#contract/area.ts';
import type { OpenDisputeBody, ResolveDisputeBody } from '#contract/dispute.ts';
import type { RecordEventBody } from '#contract/event.ts';
import type { CreatePackageBody, PatchPackageBody, WirePackage } from '#contract/package.ts';
import type { Writer } from '#contract/writer.ts';
import { packageFromWire } from '#domain/package.ts';
import type { SyncHeaders } from './answer.ts';
import type { ApiClient } from './client.ts';
import { pulledPage } from './pulled-page.ts';

export type PackagesApi = ReturnType<typeof createPackagesApi>;

/** With a cursor: the stream's checkpoint beyond it, and the cursor's area. */
export interface PackagesPlace {
  /** Every change up to the end of this batch of the stream. */
  streamed?: string | undefined;
  /** Null: everywhere. */
  area?: Area | null;
}

/** The row in a mutation's response; null: a replay. Throws if it is not `id`'s. */
function written(wire: WirePackage, { isReplayed }: SyncHeaders, id: string | undefined) {
  const row = packageFromWire(wire);
  if (id !== undefined && row.id !== id)
    throw new TypeError('The response concerns another package.');
  return isReplayed ? null : row;
}

const notShown = () => null;

export const createPackagesApi = (client: ApiClient) => ({
  /** Changes since the cursor `since`; '' to begin. */
  pullPackages: (since: string, { streamed, area }: PackagesPlace = {}) => {
    const query = {
      since,
      ...(streamed === undefined ? {} : { streamed }),
      ...(area ? { area: areaText(area) } : {}),
    };
    return client.call('listPackages', { query }, (body, sync) =>
      pulledPage(body, sync, packageFromWire),
    );
  },
  getPackage: (id: string) => client.call('getPackage', { params: { id } }, packageFromWire),
  /** Null: a replay, or an answer without the row, which may have changed or gone since. */
  createPackage: (body: CreatePackageBody, key: string) =>
    client.call(
      'createPackage',
      { body, key },
      (wire, sync) => written(wire, sync, body._id),
      notShown,
    ),
  /** Null: as `createPackage`. */
  patchPackage: (id: string, body: PatchPackageBody, key: string, writer?: Writer) =>
    client.call(
      'patchPackage',
      { params: { id }, body, key, writer },
      (wire, sync) => written(wire, sync, id),
      notShown,
    ),
  /** Null: as `createPackage`. */
  recordEvent: (id: string, body: RecordEventBody, key: string) =>
    client.call('recordEvent', { params: { id }, body, key }, (wire, sync) =>
      written(wire, sync, id),
    ),
  /** The package's latest events, oldest first; `before`: the `seq` of the first known event. */
  listEvents: (id: string, before?: number) => {
    const query = before === undefined ? {} : { query: { before: String(before) } };
    return client.call('listEvents', { params: { id }, ...query }, (events) => events);
  },
  /** Null: as `createPackage`. */
  openDispute: (id: string, body: OpenDisputeBody, key: string) =>
    client.call('openDispute', { params: { id }, body, key }, (wire, sync) =>
      written(wire, sync, id),
    ),
  /** Null: as `createPackage`. Never queued: an admin decides by the server's current state. */
  resolveDispute: (id: string, disputeId: string, body: ResolveDisputeBody, key: string) =>
    client.call('resolveDispute', { params: { id, disputeId }, body, key }, (wire, sync) =>
      written(wire, sync, id),
    ),
  /** Null: as `createPackage`. Never queued: the former link must end immediately. */
  replaceTracking: (id: string, key: string) =>
    client.call('replaceTracking', { params: { id }, key }, (wire, sync) =>
      written(wire, sync, id),
    ),
  /** Stores a photo or signature of the package. */
  putProof: (id: string, proofId: string, picture: { bytes: Blob; digest: string }) =>
    client.call('putProof', { params: { id, proofId }, picture }, (body) => {
      if (body._id !== proofId) throw new TypeError('Something else was stored.');
    }),
  deletePackage: (id: string, key: string) =>
    client.call(
      'deletePackage',
      { params: { id }, key },
      (body) => {
        if (body._id !== id) throw new TypeError('Something else was deleted.');
      },
      () => undefined,
    ),
});
