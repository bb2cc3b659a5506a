/** Permissions on people, as domain/policy has those on packages. */
import { type Actor, type Decision, when } from './policy.ts';

/** Edit the user `userId`: oneself, or as an admin anyone. For others the user does not exist. */
export function canEditUser(actor: Actor, userId: string): Decision {
  return when(actor.role === 'Admin' || actor.id === userId, 'not_found');
}

/** Add and deactivate users, change roles or the active flag, adjust a balance. */
export function canAdministerUsers(actor: Actor): Decision {
  return when(actor.role === 'Admin', 'forbidden');
}

/** Share where one is. */
export function canSharePosition(actor: Actor): Decision {
  return when(actor.role === 'Employee', 'forbidden');
}

/** See where all the couriers are who share it. */
export function canSeePositions(actor: Actor): Decision {
  return when(actor.role === 'Admin', 'forbidden');
}

/** Have a bank account here, and money paid out to it. */
export function canBePaidOut(actor: Actor): Decision {
  return when(actor.role === 'Employee', 'forbidden');
}
