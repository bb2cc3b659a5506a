/** From a user's row to what its readers see (DESIGN.md section 3, 'sees users'). */
import type { UserInfo } from '#contract/auth.ts';
import type { WireUser } from '#contract/user.ts';
import { koboToNaira } from '#domain/money.ts';
import type { Actor } from '#domain/policy.ts';
import { isProfileComplete, roleOf, userToWire } from '#domain/user.ts';
import type { UserRow } from './repository.ts';

/** What of a user says what they may do. */
type ActorColumn = 'id' | 'roles' | 'firstName' | 'lastName' | 'phoneNumber';

/** Who acts, as the policy asks for it. */
export function actorOf(row: Pick<UserRow, ActorColumn>): Actor {
  return { id: row.id, role: roleOf(row.roles), isProfileComplete: isProfileComplete(row) };
}

/** For the access token. */
export function userInfoOf(row: UserRow): UserInfo {
  const { id, email, roles, firstName, lastName } = row;
  return { id, email, roles, firstName, lastName };
}

/** For oneself and for admins, with what is available in the wallet. */
export function wholeUser(row: UserRow, availableKobo: number): WireUser {
  const { id, firstName, lastName, email, phoneNumber, address, vehicle, isActive } = row;
  const { roles, version } = row;
  return userToWire({
    ...{ id, firstName, lastName, email, phoneNumber, address, vehicle, isActive, roles, version },
    balance: koboToNaira(availableKobo),
  });
}

/** For somebody on the other side of a package: name and phone. */
export function counterpart(row: UserRow): WireUser {
  return {
    _id: row.id,
    firstName: row.firstName,
    lastName: row.lastName,
    email: null,
    phoneNumber: row.phoneNumber,
    address: null,
    vehicle: null,
    status: '',
    active: true,
    roles: [],
    balance: null,
    version: row.version,
  };
}
