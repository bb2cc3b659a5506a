import { type AuthApi, createAuthApi } from './auth-calls.ts';
import { createClient } from './client.ts';
import { createEventsApi, type EventsApi } from './events.ts';
import { createPackagesApi, type PackagesApi } from './packages.ts';
import { createPaymentsApi, type PaymentsApi } from './payments.ts';
import { createPayoutsApi, type PayoutsApi } from './payouts.ts';
import type { ApiOptions } from './ports.ts';
import { createPositionsApi, type PositionsApi } from './positions.ts';
import { createProofsApi, type ProofsApi } from './proofs.ts';
import { createPushApi, type PushApi } from './push.ts';
import { createUsersApi, type UsersApi } from './users.ts';

export type Api = AuthApi &
  EventsApi &
  PackagesApi &
  PaymentsApi &
  PayoutsApi &
  PositionsApi &
  ProofsApi &
  PushApi &
  UsersApi;

/** All endpoints over one client: one token, one refresh at a time. */
export function createApi(options: ApiOptions): Api {
  const client = createClient(options);
  return {
    ...createAuthApi(client, options.tokenStore),
    ...createEventsApi(client, options),
    ...createPackagesApi(client),
    ...createPaymentsApi(client),
    ...createPayoutsApi(client),
    ...createPositionsApi(client),
    ...createProofsApi(client, options),
    ...createPushApi(client),
    ...createUsersApi(client),
  };
}
