import type { UserInfo } from '#contract/auth.ts';
import type { WireUser } from '#contract/user.ts';
import { koboToNaira } from '#domain/money.ts';
import type { Actor } from '#domain/policy.ts';
import { isProfileComplete, roleOf, userToWire } from '#domain/user.ts';
import type { UserRow } from './repository.ts';

type ActorColumn = 'id' | 'roles' | 'firstName' | 'lastName' | 'phoneNumber';

/** The acting user, for the policy. */
export function actorOf(row: Pick<UserRow, ActorColumn>): Actor {
  return { id: row.id, role: roleOf(row.roles), isProfileComplete: isProfileComplete(row) };
}

/** For the access token. */
export function userInfoOf(row: UserRow): UserInfo {
  const { id, email, roles, firstName, lastName } = row;
  return { id, email, roles, firstName, lastName };
}

/** For oneself and for admins, with the available balance. */
export function wholeUser(row: UserRow, availableKobo: number): WireUser {
  const { id, firstName, lastName, email, phoneNumber, address, vehicle, isActive } = row;
  const { roles, version, confirmedEmail } = row;
  return userToWire({
    id,
    firstName,
    lastName,
    email,
    phoneNumber,
    address,
    vehicle,
    isActive,
    roles,
    version,
    balance: koboToNaira(availableKobo),
    emailConfirmed: confirmedEmail === email,
  });
}

/** Like `wholeUser`; admins also see when this courier gave packages back. */
export function wholeUserFor(reader: Actor, row: UserRow, availableKobo: number): WireUser {
  const whole = wholeUser(row, availableKobo);
  const { givenBackAt } = row;
  return reader.role === 'Admin' && givenBackAt.length > 0 ? { ...whole, givenBackAt } : whole;
}

/** For the other party of a package: name and phone. */
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
