/** `key` is the Idempotency-Key, the operation's id. */
import type { AddUserBody, AdjustBalanceBody, PatchUserBody } from '#contract/user.ts';
import type { Writer } from '#contract/writer.ts';
import { type User, userFromWire } from '#domain/user.ts';
import type { ApiClient } from './client.ts';
import { malformedAnswer } from './failure.ts';
import { pulledPage } from './pulled-page.ts';

export type UsersApi = ReturnType<typeof createUsersApi>;

export function createUsersApi(client: ApiClient) {
  /** Changes since the cursor `since`; '' to begin. */
  const pullUsers = (since: string) =>
    client.call('listUsers', { query: { since } }, (body, sync) =>
      pulledPage(body, sync, userFromWire),
    );

  /** For a change whose answer does not show the user. */
  const lookFor = (isMeant: (user: User) => boolean) => async (): Promise<User> => {
    const { rows } = await pullUsers('');
    const found = rows.find(isMeant);
    if (!found) throw malformedAnswer('The user is not in the list.');
    return found;
  };
  const withId = (id: string) => lookFor((user) => user.id === id);

  return {
    pullUsers,
    patchUser: (body: PatchUserBody, key: string, writer?: Writer) =>
      client.call('patchUser', { body, key, writer }, userFromWire, withId(body.id)),
    addUser: (body: AddUserBody, key: string) =>
      client.call(
        'addUser',
        { body, key },
        userFromWire,
        lookFor(({ email }) => email === body.email),
      ),
    /** Deactivates: the account stays, its sessions end. Null: it is gone. */
    deleteUser: (id: string, key: string): Promise<User | null> =>
      client.call('deleteUser', { body: { id }, key }, userFromWire, () => null),
    /** The user with the balance as it then is. */
    adjustBalance: (body: AdjustBalanceBody, key: string) =>
      client.call('adjustBalance', { body, key }, userFromWire, withId(body.id)),
  };
}
