/** The services that screens use, provided by `app` through React context. */
import { createContext, useContext } from 'react';
import type { AuthApi } from '#api/auth-calls.ts';
import type { EventsApi } from '#api/events.ts';
import type { PackagesApi } from '#api/packages.ts';
import type { PaymentsApi } from '#api/payments.ts';
import type { PayoutsApi } from '#api/payouts.ts';
import type { PositionsApi } from '#api/positions.ts';
import type { ProofsApi } from '#api/proofs.ts';
import type { PushApi } from '#api/push.ts';
import type { UsersApi } from '#api/users.ts';
import type { LoginBody, SignUpBody, UserInfo } from '#contract/auth.ts';
import type { UserDatabase } from '#db/user-database.ts';
import type { SyncEngine } from '#sync/engine.ts';
import type { PackageStore } from './package-store.ts';

/** Each rejects with ApiFailure (api/failure.ts); none toasts or navigates. */
export interface SessionService {
  signUp(body: SignUpBody): Promise<void>;
  /** Preloads what signing in needs, when the user starts typing. */
  prepare(): void;
  /** Opens the user's database, starts the engine and sets sessionAtom. */
  signIn(body: LoginBody): Promise<void>;
  /**
   * Ends the session, wipes the mirror, keeps unsent operations. False: the server is yet to be
   * notified.
   */
  signOut(): Promise<boolean>;
  /** Repeats the session check of the initial load, for 'Try again' when opened offline. */
  resume(): Promise<void>;
  /** From the Session Expired screen to the sign-in form. */
  leaveExpired(): Promise<void>;
  /** What a mailed link does; needs no session. */
  readonly links: Pick<AuthApi, 'forgotPassword' | 'resetPassword' | 'confirmEmail'>;
  /** Changes of all users that wait on this device; 0 if its storage fails. */
  countWaiting(): Promise<number>;
}

/** Exists only while signed in. */
export interface SignedIn {
  userInfo: UserInfo;
  db: UserDatabase;
  engine: SyncEngine;
  packages: PackageStore;
  /** Calls that are never queued: password, devices, money, administration. */
  api: Pick<AuthApi, 'sendConfirmation' | 'listSessions' | 'endSession'> &
    Pick<PackagesApi, 'getPackage' | 'patchPackage' | 'replaceTracking' | 'resolveDispute'> &
    Pick<UsersApi, 'patchUser' | 'addUser' | 'deleteUser' | 'adjustBalance'> &
    EventsApi &
    PaymentsApi &
    PayoutsApi &
    PositionsApi &
    Pick<ProofsApi, 'getProof'> &
    PushApi;
}

export interface Services {
  session: SessionService;
  /** Null while signed out. */
  signedIn: SignedIn | null;
}

export const ServicesContext = createContext<Services | null>(null);

export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (!services) throw new Error('useServices needs a ServicesContext above it.');
  return services;
}

/** For screens behind the guard. Throws when signed out. */
export function useSignedIn(): SignedIn {
  const { signedIn } = useServices();
  if (!signedIn)
    throw new Error('useSignedIn needs a signed-in user; render the screen behind the guard.');
  return signedIn;
}
