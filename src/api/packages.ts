/** `key` is the Idempotency-Key, the operation's id. */
import type { CreatePackageBody, PatchPackageBody, WirePackage } from '#contract/package.ts';
import type { Writer } from '#contract/writer.ts';
import { type Package, packageFromWire } from '#domain/package.ts';
import type { SyncHeaders } from './answer.ts';
import type { ApiClient } from './client.ts';
import { type PulledPage, pulledPage } from './pulled-page.ts';

export interface PackagesApi {
  /** Changes since the cursor; '' to start. */
  pullPackages(since: string): Promise<PulledPage<Package>>;
  getPackage(id: string): Promise<Package>;
  /** Null: a replayed response, whose package may have changed since. */
  createPackage(body: CreatePackageBody, key: string): Promise<Package | null>;
  patchPackage(
    id: string,
    body: PatchPackageBody,
    key: string,
    writer?: Writer,
  ): Promise<Package | null>;
  deletePackage(id: string, key: string): Promise<void>;
}

/** The row in a mutation's response; null: a replay. Throws if it is not `id`'s. */
function written(wire: WirePackage, { isReplayed }: SyncHeaders, id: string | undefined) {
  const row = packageFromWire(wire);
  if (id !== undefined && row.id !== id)
    throw new TypeError('The response concerns another package.');
  return isReplayed ? null : row;
}

export function createPackagesApi(client: ApiClient): PackagesApi {
  return {
    pullPackages: (since) =>
      client.call('listPackages', { query: { since } }, (body, sync) =>
        pulledPage(body, sync, packageFromWire),
      ),
    getPackage: (id) => client.call('getPackage', { params: { id } }, packageFromWire),
    createPackage: (body, key) =>
      client.call('createPackage', { body, key }, (wire, sync) => written(wire, sync, body._id)),
    patchPackage: (id, body, key, writer) =>
      client.call('patchPackage', { params: { id }, body, key, writer }, (wire, sync) =>
        written(wire, sync, id),
      ),
    deletePackage: (id, key) =>
      client.call('deletePackage', { params: { id }, key }, (body) => {
        if (body._id !== id) throw new TypeError('Another package was deleted.');
      }),
  };
}
