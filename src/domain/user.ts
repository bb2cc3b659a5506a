import type { UserInfo } from '#contract/auth.ts';
import type { Role, WireParty, WireUser } from '#contract/user.ts';

/** A person on a package. Null: withheld from the reader. */
export interface Party {
  id: string;
  firstName: string;
  lastName: string;
  email: string | null;
  phoneNumber: string | null;
}

/** The signed-in user: a party, and what they may do. */
export interface Self extends Party {
  roles: Role[];
}

export interface User extends Self {
  address: string | null;
  vehicle: string | null;
  isActive: boolean;
  /** Naira as the server sent it, or null if withheld from the reader. */
  balance: number | null;
  version: number;
  /** For admins: when this courier gave accepted packages back; ISO, newest first. */
  givenBackAt?: string[] | undefined;
  /** For the user and admins: whether a link that was mailed to `email` was opened. */
  emailConfirmed?: boolean | undefined;
}

/** The effective role: Customer by default; Employee if present; Admin wins. */
export function roleOf(roles: readonly string[]): Role {
  if (roles.includes('Admin')) return 'Admin';
  return roles.includes('Employee') ? 'Employee' : 'Customer';
}

type Named = { firstName: string; lastName: string; email: string | null };

/** First and last name, else the email, else 'User'. */
export function displayName({ firstName, lastName, email }: Named): string {
  return (
    [firstName, lastName]
      .map((part) => part.trim())
      .filter(Boolean)
      .join(' ') ||
    email ||
    'User'
  );
}

type Profile = Omit<Named, 'email'> & { phoneNumber: string | null };

/** The missing ones of first name, last name and phone, required to create and to accept. */
export function missingInProfile(user: Profile) {
  return (['firstName', 'lastName', 'phoneNumber'] as const).filter((name) => !user[name]?.trim());
}

export const isProfileComplete = (user: Profile) => missingInProfile(user).length === 0;

export function partyFromWire({ _id, ...rest }: WireParty): Party {
  return { id: _id, ...rest };
}

export function partyToWire({ id, firstName, lastName, email, phoneNumber }: Party): WireParty {
  return { _id: id, firstName, lastName, email, phoneNumber };
}

export function userFromWire({ _id, active, status: _status, ...rest }: WireUser): User {
  return { id: _id, isActive: active, ...rest };
}

export function userToWire({ id, isActive, ...rest }: User): WireUser {
  return { _id: id, active: isActive, status: roleOf(rest.roles), ...rest };
}

/** The user info without a session: empty strings, no roles. */
export const nobody: UserInfo = { id: '', email: '', roles: [], firstName: '', lastName: '' };
