/** `key` is the Idempotency-Key, the operation's id. */
import type { AddUserBody, AdjustBalanceBody, PatchUserBody } from '#contract/user.ts';
import type { Writer } from '#contract/writer.ts';
import { userFromWire } from '#domain/user.ts';
import type { ApiClient } from './client.ts';
import { pulledPage } from './pulled-page.ts';

export type UsersApi = ReturnType<typeof createUsersApi>;

export const createUsersApi = (client: ApiClient) => ({
  /** What changed since the cursor `since`; '' to begin. */
  pullUsers: (since: string) =>
    client.call('listUsers', { query: { since } }, (body, sync) =>
      pulledPage(body, sync, userFromWire),
    ),
  patchUser: (body: PatchUserBody, key: string, writer?: Writer) =>
    client.call('patchUser', { body, key, writer }, userFromWire),
  addUser: (body: AddUserBody, key: string) => client.call('addUser', { body, key }, userFromWire),
  /** Deactivates: the account stays, its sessions end. */
  deleteUser: (id: string, key: string) =>
    client.call('deleteUser', { body: { id }, key }, userFromWire),
  /** The user with the balance as it then is. */
  adjustBalance: (body: AdjustBalanceBody, key: string) =>
    client.call('adjustBalance', { body, key }, userFromWire),
});
