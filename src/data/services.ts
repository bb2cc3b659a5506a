/**
 * The services that screens use, handed down by React context. `app` composes them; features know
 * only these shapes. Reading is in the other files of this room, through live queries.
 */
import { createContext, useContext } from 'react';
import type { EventsApi } from '#api/events.ts';
import type { PackagesApi } from '#api/packages.ts';
import type { PaymentsApi } from '#api/payments.ts';
import type { PushApi } from '#api/push.ts';
import type { UsersApi } from '#api/users.ts';
import type { LoginBody, SignUpBody, UserInfo } from '#contract/auth.ts';
import type { UserDatabase } from '#db/user-database.ts';
import type { SyncEngine } from '#sync/engine.ts';
import type { PackageStore } from './package-store.ts';

/** Signing in and out. Each rejects with ApiFailure (api/failure.ts); none toasts or navigates. */
export interface SessionService {
  signUp(body: SignUpBody): Promise<void>;
  /** Somebody begins to type: brings what signing in needs, so that it need not be waited for. */
  prepare(): void;
  /** Opens the user's database and starts the engine; sessionAtom then says so. */
  signIn(body: LoginBody): Promise<void>;
  /**
   * Ends the session here and on the server; unsent operations stay, the mirror is wiped. False:
   * the server did not answer and is told when it does.
   */
  signOut(): Promise<boolean>;
  /** Again what was done on load: for the 'Try again' of a device that opened without network. */
  resume(): Promise<void>;
  /** From the Session Expired screen to the sign-in form. */
  leaveExpired(): Promise<void>;
}

/** What exists only while somebody is signed in. */
export interface SignedIn {
  userInfo: UserInfo;
  db: UserDatabase;
  engine: SyncEngine;
  /** Packages and outbox as the screens read them; open for as long as `db` is. */
  packages: PackageStore;
  /** For what is not queued: password, money, administration. */
  api: Pick<PackagesApi, 'patchPackage'> &
    Pick<UsersApi, 'patchUser' | 'addUser' | 'deleteUser' | 'adjustBalance'> &
    EventsApi &
    PaymentsApi &
    PushApi;
}

export interface Services {
  session: SessionService;
  /** Null while nobody is signed in. */
  signedIn: SignedIn | null;
}

export const ServicesContext = createContext<Services | null>(null);

export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (!services) throw new Error('useServices needs a ServicesContext above it.');
  return services;
}

/** For screens behind the guard, where somebody is signed in by construction. */
export function useSignedIn(): SignedIn {
  const { signedIn } = useServices();
  if (!signedIn)
    throw new Error('useSignedIn needs a signed-in user; put the screen behind the guard.');
  return signedIn;
}
