import type { LoginBody, SignUpBody } from '#contract/auth.ts';
import { userFromWire } from '#domain/user.ts';
import type { ApiClient } from './client.ts';
import type { TokenStore } from './ports.ts';

export type AuthApi = ReturnType<typeof createAuthApi>;

export const createAuthApi = (client: ApiClient, tokenStore: TokenStore) => ({
  /** Registers; does not sign in. */
  signUp: (body: SignUpBody) =>
    client.callPlain('signUp', { body }, ({ user }) => userFromWire(user)),
  /** Stores the access token and answers it. */
  async login(body: LoginBody) {
    const token = await client.callPlain('login', { body }, ({ accessToken }) => accessToken);
    tokenStore.set(token);
    return token;
  },
  /** Ends the session on the server; then forgets the token. */
  async logout() {
    await client.callPlain('logout', {}, () => undefined);
    tokenStore.set(null);
  },
  /**
   * A fresh access token by the refresh cookie, stored and answered: what is done on load. Rejects
   * with the server's own 401 or 403 where the session is over, with 'network' if that is unknown.
   */
  refresh: () => client.refresh(),
});
