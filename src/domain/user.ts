/** Users, roles, display names and what the access token says (SPEC.md section 3). */
import * as v from 'valibot';
import { tokenPayloadSchema, type UserInfo } from '#contract/auth.ts';
import type { Role, WireParty, WireUser } from '#contract/user.ts';

/** Somebody on a package. Null where the reader may not see it. */
export interface Party {
  id: string;
  firstName: string;
  lastName: string;
  email: string | null;
  phoneNumber: string | null;
}

export interface User extends Party {
  address: string | null;
  vehicle: string | null;
  isActive: boolean;
  roles: Role[];
  /** Naira as the server said it, or null where it is not the reader's to see. */
  balance: number | null;
  version: number;
}

/** Role precedence: Customer by default; Employee if present; Admin wins (SPEC.md section 4). */
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

/** First name, last name and phone: needed to create and to accept (SPEC.md section 6). */
export function isProfileComplete(user: Omit<Named, 'email'> & { phoneNumber: string | null }) {
  return [user.firstName, user.lastName, user.phoneNumber ?? ''].every(
    (part) => part.trim() !== '',
  );
}

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

/** Who is signed in where nobody is: empty strings, no roles (SPEC.md section 3). */
export const nobody: UserInfo = { id: '', email: '', roles: [], firstName: '', lastName: '' };

export class InvalidTokenError extends Error {
  override name = 'InvalidTokenError';
}

const base64Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** base64url → UTF-8 text. Pure, so that it needs neither atob nor Buffer. */
function decodeBase64Url(text: string): string {
  const clean = text.replace(/-/g, '+').replace(/_/g, '/').replace(/=+$/, '');
  let bits = 0;
  let held = 0;
  let percent = '';
  for (const character of clean) {
    const value = base64Alphabet.indexOf(character);
    if (value < 0) throw new InvalidTokenError('The token is not base64.');
    held = ((held << 6) | value) & 0xffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      percent += `%${((held >> bits) & 0xff).toString(16).padStart(2, '0')}`;
    }
  }
  return decodeURIComponent(percent);
}

/**
 * The user-info section of an access token's payload. It reads, it does not verify: that is the
 * server's. Throws InvalidTokenError for what is not a string, has no payload part, or holds
 * invalid base64 or JSON.
 */
export function readUserInfo(token: unknown): UserInfo {
  if (token === null || token === undefined || token === '') return nobody;
  if (typeof token !== 'string') throw new InvalidTokenError('The token is not a string.');
  const payload = token.split('.')[1];
  if (!payload) throw new InvalidTokenError('The token has no payload part.');
  try {
    return v.parse(tokenPayloadSchema, JSON.parse(decodeBase64Url(payload))).userInfo;
  } catch (cause) {
    throw new InvalidTokenError('The token cannot be read.', { cause });
  }
}
