/** Users: SPEC.md section 7. `key` is the Idempotency-Key, the operation's id. */
import type { PatchUserBody } from '#contract/user.ts';
import { type User, userFromWire } from '#domain/user.ts';
import type { ApiClient } from './client.ts';
import { type PulledPage, pulledPage } from './pulled-page.ts';

export interface UsersApi {
  /** What changed since the cursor `since`; '' to begin. */
  pullUsers(since: string): Promise<PulledPage<User>>;
  patchUser(body: PatchUserBody, key: string): Promise<User>;
}

export function createUsersApi(client: ApiClient): UsersApi {
  return {
    pullUsers: (since) =>
      client.call('listUsers', { query: { since } }, (body, sync) =>
        pulledPage(body, sync, userFromWire),
      ),
    patchUser: (body, key) => client.call('patchUser', { body, key }, userFromWire),
  };
}
