import type { CreatePackageBody, PatchPackageBody } from '#contract/package.ts';
import type { PatchUserBody } from '#contract/user.ts';
import type { Operation, OperationName } from '#domain/operation.ts';
import type { Package } from '#domain/package.ts';
import type { User } from '#domain/user.ts';

/** The calls that operations become. `key` is the Idempotency-Key: always the operation's id. */
export interface MutationApi {
  createPackage(body: CreatePackageBody, key: string): Promise<Package>;
  patchPackage(id: string, body: PatchPackageBody, key: string): Promise<Package>;
  deletePackage(id: string, key: string): Promise<void>;
  patchUser(body: PatchUserBody, key: string): Promise<User>;
}

/** What the server made of an operation, for the mirror. */
export type Applied = { kind: 'row'; row: Package | User } | { kind: 'packageGone'; id: string };

type OperationByName = { [N in OperationName]: Extract<Operation, { name: N }> };
export type OperationOf<N extends OperationName> = OperationByName[N];

/** Sends one operation. Rejects with ApiFailure. */
export type Send<N extends OperationName> = (
  api: MutationApi,
  operation: OperationOf<N>,
) => Promise<Applied>;
