/** Packages: SPEC.md section 7. `key` is the Idempotency-Key, the operation's id. */
import type { CreatePackageBody, PatchPackageBody } from '#contract/package.ts';
import { type Package, packageFromWire } from '#domain/package.ts';
import type { ApiClient } from './client.ts';
import { type PulledPage, pulledPage } from './pulled-page.ts';

export interface PackagesApi {
  /** What changed since the cursor `since`; '' to begin. */
  pullPackages(since: string): Promise<PulledPage<Package>>;
  getPackage(id: string): Promise<Package>;
  createPackage(body: CreatePackageBody, key: string): Promise<Package>;
  patchPackage(id: string, body: PatchPackageBody, key: string): Promise<Package>;
  deletePackage(id: string, key: string): Promise<void>;
}

export function createPackagesApi(client: ApiClient): PackagesApi {
  return {
    pullPackages: (since) =>
      client.call('listPackages', { query: { since } }, (body, sync) =>
        pulledPage(body, sync, packageFromWire),
      ),
    getPackage: (id) => client.call('getPackage', { params: { id } }, packageFromWire),
    createPackage: (body, key) => client.call('createPackage', { body, key }, packageFromWire),
    patchPackage: (id, body, key) =>
      client.call('patchPackage', { params: { id }, body, key }, packageFromWire),
    deletePackage: (id, key) =>
      client.call('deletePackage', { params: { id }, key }, () => undefined),
  };
}
