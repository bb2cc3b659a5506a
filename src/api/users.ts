/** `key` is the Idempotency-Key, the operation's id. */
import type { AddUserBody, AdjustBalanceBody, PatchUserBody } from '#contract/user.ts';
import type { Writer } from '#contract/writer.ts';
import { type User, userFromWire } from '#domain/user.ts';
import type { ApiClient } from './client.ts';
import { type PulledPage, pulledPage } from './pulled-page.ts';

export interface UsersApi {
  /** Changes since the cursor; '' to start. */
  pullUsers(since: string): Promise<PulledPage<User>>;
  patchUser(body: PatchUserBody, key: string, writer?: Writer): Promise<User>;
  addUser(body: AddUserBody, key: string): Promise<User>;
  /** Deactivates: the account stays, its sessions end. */
  deleteUser(id: string, key: string): Promise<User>;
  /** Returns the user with the new balance. */
  adjustBalance(body: AdjustBalanceBody, key: string): Promise<User>;
}

export function createUsersApi(client: ApiClient): UsersApi {
  return {
    pullUsers: (since) =>
      client.call('listUsers', { query: { since } }, (body, sync) =>
        pulledPage(body, sync, userFromWire),
      ),
    patchUser: (body, key, writer) => client.call('patchUser', { body, key, writer }, userFromWire),
    addUser: (body, key) => client.call('addUser', { body, key }, userFromWire),
    deleteUser: (id, key) => client.call('deleteUser', { body: { id }, key }, userFromWire),
    adjustBalance: (body, key) => client.call('adjustBalance', { body, key }, userFromWire),
  };
}
