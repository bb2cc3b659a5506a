import type { LoginBody, ResetPasswordBody, SignUpBody } from '#contract/auth.ts';
import { userFromWire } from '#domain/user.ts';
import type { ApiClient } from './client.ts';
import { failureOf } from './failure.ts';
import type { TokenStore } from './ports.ts';

export type AuthApi = ReturnType<typeof createAuthApi>;

const done = () => undefined;

export const createAuthApi = (client: ApiClient, tokenStore: TokenStore) => ({
  /** Registers; does not sign in. */
  signUp: (body: SignUpBody) =>
    client.callPlain('signUp', { body }, ({ user }) => userFromWire(user)),
  /** Stores the access token and answers it. */
  async login(body: LoginBody) {
    const send = (sent: LoginBody) =>
      client.callPlain('login', { body: sent }, ({ accessToken }) => accessToken);
    const { trustDevice, ...asked } = body;
    const token = await send(trustDevice ? body : asked).catch((error: unknown) => {
      // A server may refuse fields beyond the specification's two.
      const failure = failureOf(error);
      const isOdd = trustDevice && failure?.kind === 'http' && failure.code === '';
      if (!isOdd || (failure.status !== 400 && failure.status !== 422)) throw error;
      return send(asked);
    });
    tokenStore.set(token);
    return token;
  },
  /** Ends the session on the server; then forgets the token. */
  async logout() {
    await client.callPlain('logout', {}, done, done);
    tokenStore.set(null);
  },
  /**
   * A fresh access token by the refresh cookie, stored and answered: what is done on load. Rejects
   * with the server's own 401 or 403 where the session is over, with 'network' if that is unknown.
   */
  refresh: () => client.refresh(),
  /** Resolves whether or not there is such an account. */
  forgotPassword: (email: string) => client.callPlain('forgotPassword', { body: { email } }, done),
  /** Ends all sessions of the account. Rejects with `link_used` if the link no longer works. */
  resetPassword: (body: ResetPasswordBody) => client.callPlain('resetPassword', { body }, done),
  /** Rejects as `resetPassword` does. */
  confirmEmail: (token: string) => client.callPlain('confirmEmail', { body: { token } }, done),
  /** Mails another link to the own e-mail. */
  sendConfirmation: (key: string) => client.call('sendConfirmation', { key }, done),
  /** Where the user is signed in, the last used first. */
  listSessions: () => client.call('listSessions', {}, (sessions) => sessions),
  /** Signs a device out. Rejects with `not_found` if it is already. */
  endSession: (id: string, key: string) => client.call('endSession', { params: { id }, key }, done),
});
