import type { LoginBody, SignUpBody } from '#contract/auth.ts';
import { type User, userFromWire } from '#domain/user.ts';
import type { ApiClient } from './client.ts';
import type { TokenStore } from './ports.ts';

export interface AuthApi {
  /** Registers without signing in; the app continues to the sign-in form. */
  signUp(body: SignUpBody): Promise<User>;
  /** Stores and returns the access token. */
  login(body: LoginBody): Promise<string>;
  logout(): Promise<void>;
  /** Returns a fresh access token. Rejects with 401 or 403 if the session is over, or 'network'. */
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
