/** The session's own calls. */
import type { LoginBody, SignUpBody } from '#contract/auth.ts';
import { type User, userFromWire } from '#domain/user.ts';
import type { ApiClient } from './client.ts';
import type { TokenStore } from './ports.ts';

export interface AuthApi {
  /** Registers; does not sign in (the specification goes on to the sign-in form). */
  signUp(body: SignUpBody): Promise<User>;
  /** Stores the access token and answers it. */
  login(body: LoginBody): Promise<string>;
  /** Ends the session on the server; then forgets the token. */
  logout(): Promise<void>;
  /**
   * A fresh access token by the refresh cookie, stored and answered: what is done on load. Rejects
   * with the server's own 401 or 403 where the session is over, with 'network' where nobody knows.
   */
  refresh(): Promise<string>;
}

export function createAuthApi(client: ApiClient, tokenStore: TokenStore): AuthApi {
  return {
    signUp: (body) => client.callPlain('signUp', { body }, ({ user }) => userFromWire(user)),
    async login(body) {
      const token = await client.callPlain('login', { body }, ({ accessToken }) => accessToken);
      tokenStore.set(token);
      return token;
    },
    async logout() {
      await client.callPlain('logout', {}, () => undefined);
      tokenStore.set(null);
    },
    refresh: () => client.refresh(),
  };
}
