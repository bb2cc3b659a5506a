/** Users: SPEC.md section 7. `key` is the Idempotency-Key, the operation's id. */
import { isRemoved } from '#contract/delta.ts';
import type { PatchUserBody } from '#contract/user.ts';
import { type User, userFromWire } from '#domain/user.ts';
import type { ApiClient } from './client.ts';

export interface UsersApi {
  listUsers(): Promise<User[]>;
  patchUser(body: PatchUserBody, key: string): Promise<User>;
}

export function createUsersApi(client: ApiClient): UsersApi {
  return {
    listUsers: () =>
      client.call('listUsers', {}, (rows) =>
        rows.flatMap((row) => (isRemoved(row) ? [] : [userFromWire(row)])),
      ),
    patchUser: (body, key) => client.call('patchUser', { body, key }, userFromWire),
  };
}
